import { expect, test } from "vitest";
import { withoutShell } from "./shell-command";

test("[B7][R12] a command that is told with its shell is shown as it was meant", () => {
  expect(withoutShell(`/bin/bash -lc "printf '%s\\\\n' 'hello there' > hello.txt"`)).toBe(
    "printf '%s\\n' 'hello there' > hello.txt",
  );
  expect(withoutShell("bash -lc 'echo \"$HOME\"'")).toBe('echo "$HOME"');
  expect(withoutShell('/bin/sh -c "echo \\$HOME \\`id\\` \\"x\\""')).toBe('echo $HOME `id` "x"');
  expect(withoutShell("/bin/zsh -lc ls")).toBe("ls");
  expect(withoutShell("bash -lc 'one\ntwo'")).toBe("one\ntwo");
});

test("[B7][R12] what says more than that stays as it stands", () => {
  for (const command of [
    "echo bash -lc 'x'",
    "bash -lc 'a' 'b'",
    'bash -lc "echo $HOME"',
    'bash -lc "echo `id`"',
    "bash script.sh",
    "bash -lc 'a'; rm b",
    "",
  ]) {
    expect(withoutShell(command)).toBe(command);
  }
});
