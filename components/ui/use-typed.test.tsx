import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { useTyped } from "./use-typed";

afterEach(cleanup);

function Form({ standing }: { standing: string }) {
  const typed = useTyped(standing);
  return (
    <>
      <input aria-label="Script" value={typed.text} onChange={(event) => typed.change(event.target.value)} />
      <button type="button" onClick={typed.forget}>
        Saved
      </button>
    </>
  );
}

const text = () => screen.getByLabelText<HTMLInputElement>("Script").value;

test("[B5] others’ changes are shown until one types, and never over what is typed", () => {
  const { rerender } = render(<Form standing="npm ci" />);
  rerender(<Form standing="make" />);
  expect(text()).toBe("make");
  fireEvent.change(screen.getByLabelText("Script"), { target: { value: "" } });
  rerender(<Form standing="npm i" />);
  expect(text()).toBe("");
  fireEvent.click(screen.getByRole("button", { name: "Saved" }));
  expect(text()).toBe("npm i");
});
