/** `/settings`, for administrators. */
import type { SettingsDesk } from "../engine/desk/settings-desk";
import type { Calls } from "./calls";

export function settingsCalls(calls: Calls, settings: SettingsDesk) {
  const { settings: call } = calls;
  return call.router({
    get: call.get.handler(() => settings.read()),
    change: call.change.handler(({ input }) => settings.change(input)),
  });
}
