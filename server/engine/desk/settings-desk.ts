/** The installation's settings as administrators see and change them; who may is the gate's. */
import type { SettingsView } from "../../contract/settings-calls";
import type { Settings, SettingsStore } from "../../ports/settings-store";

export type SettingsWish = { readonly [Name in keyof SettingsView]?: SettingsView[Name] | undefined };
export type SettingsDesk = ReturnType<typeof createSettingsDesk>;

export function createSettingsDesk(settings: SettingsStore) {
  return {
    read: async () => settingsView(await settings.read()),
    async change({ outputDays, outputMaxBytes, answerWithinSeconds }: SettingsWish): Promise<SettingsView> {
      const answerWithinMs = answerWithinSeconds === undefined ? undefined : answerWithinSeconds * 1_000;
      return settingsView(await settings.change({ outputDays, outputMaxBytes, answerWithinMs }));
    },
  };
}

function settingsView({ outputDays, outputMaxBytes, answerWithinMs }: Settings): SettingsView {
  return { outputDays, outputMaxBytes, answerWithinSeconds: Math.round(answerWithinMs / 1_000) };
}
