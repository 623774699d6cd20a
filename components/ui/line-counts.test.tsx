import { cleanup, render } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { LineCounts } from "./line-counts";

afterEach(cleanup);

test("[W4] thousands of lines are counted with a separator, as everything is counted", () => {
  const { container } = render(<LineCounts added={30_009} removed={1_234_567} />);
  expect(container.textContent).toBe("+30,009 −1,234,567");
});
