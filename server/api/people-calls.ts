/** `/me` and `/users`. */
import type { PeopleDesk } from "../engine/desk/people-desk";
import type { Passwords } from "../ports/access";
import type { Calls } from "./calls";
import { tellVersion } from "./context";
import { answerOf } from "./errors";

export function peopleCalls(calls: Calls, people: PeopleDesk, passwords: Passwords) {
  return {
    me: calls.me.router({
      get: calls.me.get.handler(({ context }) => {
        const { me, snapshot } = people.me(context.caller);
        tellVersion(context, snapshot);
        return me;
      }),
    }),
    users: calls.users.router({
      list: calls.users.list.handler(async ({ context, input }) => {
        const { items, next, snapshot } = await people.list(context.caller, input.after ?? null);
        tellVersion(context, snapshot);
        return { items, next };
      }),
      get: calls.users.get.handler(async ({ context, input }) => {
        const { profile, snapshot } = answerOf(await people.profile(context.caller, input.id));
        tellVersion(context, snapshot);
        return profile;
      }),
      history: calls.users.history.handler(async ({ context, input }) =>
        answerOf(await people.history(context.caller, input.id, input.after ?? null)),
      ),
      change: calls.users.change.handler(async ({ context, input: { params, query, body } }) => {
        const isConfirmed = query?.confirm === "true";
        answerOf(await people.change(context.caller, params.id, body, isConfirmed));
        const { profile, snapshot } = answerOf(await people.profile(context.caller, params.id));
        tellVersion(context, snapshot);
        return profile;
      }),
      renewPassword: calls.users.renewPassword.handler(async ({ context, input }) =>
        answerOf(await people.renewPassword(context.caller, input.id, passwords)),
      ),
    }),
  };
}
