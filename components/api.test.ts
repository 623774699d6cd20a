import { minifyContractRouter } from "@orpc/contract";
import { expect, test } from "vitest";
import { API_PREFIX, contract } from "../server/contract/router";
import { outputAddress } from "./api";

test("[P13] the browser's paths are the contract's: after a change of the contract, `npx vitest run components/api.test.ts -u`", async () => {
  const text = `${JSON.stringify(minifyContractRouter(contract), null, 2)}\n`;
  await expect(text).toMatchFileSnapshot("./contract.json");
});

test("[R6] output is read below the contract's prefix", () => {
  expect(outputAddress("s 1", 5, 10)).toBe(`${API_PREFIX}/sessions/s%201/output?offset=5&limit=10`);
});
