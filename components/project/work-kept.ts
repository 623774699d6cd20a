/** For whoever finds a project gone: removed or left, its agents stopped and what they had written was kept (S6, W2). */
export const WORK_KEPT =
  "If agents of yours were at work in it, they were stopped; their work is kept on its branches.";
