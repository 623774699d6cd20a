/** What a scripted agent does, told without saying how: the fake runner plays it, a real one gets it as a bash script. */
export type AgentStep =
  | { readonly do: "print"; readonly text: string }
  | { readonly do: "repeat-stdin" }
  /** Does nothing until it is stopped. */
  | { readonly do: "wait" }
  | { readonly do: "exit"; readonly code: number }
  /** Only as the one step: the program does not exist. */
  | { readonly do: "be-missing" };
