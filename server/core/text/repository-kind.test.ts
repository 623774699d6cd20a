import { expect, test } from "vitest";
import { nameOfRepository } from "./repository-kind";

test.each([
  ["/srv/code/shop", "shop"],
  ["/srv/code/Mein Laden/", "Mein Laden"],
  ["/srv/git/shop.git", "shop"],
  ["https://example.com/team/shop.git", "shop"],
  ["https://ada:secret@example.com/shop/", "shop"],
  ["https://ada:secret@example.com", ""],
  ["https://ada:secret@example.com/", ""],
  ["git@example.com:team/shop.git", "shop"],
  ["git@example.com:shop", "shop"],
  ["ssh://git@example.com:2222/shop.git", "shop"],
  ["shop", ""],
  ["/", ""],
  ["", ""],
])("[W1][B11] a project of %s is proposed to be called “%s”, and by no login", (repository, name) => {
  expect(nameOfRepository(repository)).toBe(name);
});
