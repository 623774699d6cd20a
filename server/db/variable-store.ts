/** Rows behind `ports/variable-store.ts`. Only secrets are sealed, so that a lost secret of the installation costs nothing else. */
import type { Sql } from "postgres";
import { maskedValues, sizeOf } from "../core/text/variables";
import type { Seal } from "../ports/seal";
import type { StoredVariable, VariableStore } from "../ports/variable-store";

interface VariableRow {
  readonly name: string;
  readonly value: string;
  readonly is_secret: boolean;
  readonly changed_at: number;
}

export function createVariableStore(sql: Sql, seal: Seal): VariableStore {
  const read = (projectId: string) => sql<VariableRow[]>`
    select name, value, is_secret, round(extract(epoch from changed_at) * 1000)::float8 as changed_at
    from project_variables where project_id = ${projectId} order by name collate "C"`;
  /** Null: lost. */
  const plainOf = (projectId: string, { name, value, is_secret }: VariableRow) =>
    is_secret ? seal.open(value, aboutOf(projectId, name)) : value;

  return {
    async list(projectId) {
      const rows = await read(projectId);
      return rows.map((row): StoredVariable => {
        const { name, is_secret: isSecret } = row;
        const value = plainOf(projectId, row);
        return {
          name,
          value: isSecret ? null : value,
          isSecret,
          isLost: value === null,
          bytes: sizeOf(name) + sizeOf(value ?? ""),
          changedAt: row.changed_at,
        };
      });
    },
    async set(projectId, { name, value, isSecret }, at) {
      const stored = isSecret ? seal.close(value, aboutOf(projectId, name)) : value;
      await sql`
        insert into project_variables (project_id, name, value, is_secret, changed_at)
        values (${projectId}, ${name}, ${stored}, ${isSecret}, to_timestamp(${at / 1_000}))
        on conflict (project_id, name) do update
          set value = excluded.value, is_secret = excluded.is_secret, changed_at = excluded.changed_at`;
    },
    async remove(projectId, name) {
      const gone = await sql`delete from project_variables where project_id = ${projectId} and name = ${name}`;
      return gone.count > 0;
    },
    async open(projectId) {
      const rows = (await read(projectId)).map((row) => ({ ...row, value: plainOf(projectId, row) }));
      const readable = rows.flatMap(({ name, value, is_secret }) =>
        value === null ? [] : [{ name, value, is_secret }],
      );
      return {
        // Made from pairs, because a name like __proto__ means something to an assignment.
        environment: Object.fromEntries(readable.map(({ name, value }) => [name, value])),
        secrets: readable.flatMap(({ value, is_secret }) => (is_secret ? maskedValues(value) : [])),
        lost: rows.flatMap(({ name, value }) => (value === null ? [name] : [])),
      };
    },
  };
}

function aboutOf(projectId: string, name: string): string {
  return `${projectId} ${name}`;
}
