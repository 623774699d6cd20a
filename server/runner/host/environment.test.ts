import { expect, it } from "vitest";
import { agentEnvironment, allowedEnvironment } from "./environment";

it("[A1] passes on what is listed and nothing else", () => {
  const source = {
    PATH: "/bin",
    HOME: "/home/x",
    LC_ALL: "C",
    TZ: "UTC",
    FUTURE_KEY: "no",
    DATABASE_URL: "no",
    LC_x: "no",
  };
  expect(allowedEnvironment(source as unknown as NodeJS.ProcessEnv)).toEqual({
    PATH: "/bin",
    HOME: "/home/x",
    LC_ALL: "C",
    TZ: "UTC",
  });
  expect(allowedEnvironment({} as NodeJS.ProcessEnv).PATH).toContain("/usr/bin");
});

it("[A1][R8] adds the project's variables, which may set anything but the run mark", () => {
  const run = { sessionId: "s1", mark: "m.s1.1" };
  const environment = agentEnvironment({ PATH: "/bin" } as unknown as NodeJS.ProcessEnv, run, {
    PATH: "/opt/bin",
    TOKEN: "t",
    CAMELOT_RUN: "forged",
    CAMELOT_SESSION: "forged",
  });
  expect(environment).toMatchObject({
    PATH: "/opt/bin",
    TOKEN: "t",
    CAMELOT_RUN: "m.s1.1",
    CAMELOT_SESSION: "s1",
    GIT_TERMINAL_PROMPT: "0",
    PAGER: "cat",
  });
});
