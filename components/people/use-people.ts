"use client";
/** Who I am and what everybody is called. Read once and again when somebody unknown turns up; counts come from the pool. */
import { useQuery } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import type { Me, Person } from "@/server/contract/people";
import { api, client } from "../api";
import { useUnknown } from "../ui/use-unknown";
import { inOwnOrder } from "../ui/written";

/** Pages of people that are read at most; an installation has hundreds, not millions. */
const PAGES_MAX = 20;

export function useMe(): Me | undefined {
  return useQuery(api.me.get.queryOptions({ staleTime: Number.POSITIVE_INFINITY })).data;
}

export const peopleKey = api.users.list.key();

export interface People {
  readonly all: readonly Person[];
  /** Empty until the names are there. */
  readonly nameOf: (userId: string) => string;
}

const NOBODY: readonly Person[] = [];

export function usePeople(): People {
  const { data: all = NOBODY, isSuccess } = useQuery({ queryKey: peopleKey, queryFn: readPeople, staleTime: 60_000 });
  const me = useMe();
  const names = useMemo(() => {
    const known = new Map(all.map((person) => [person.id, inOwnOrder(person.name)]));
    return me === undefined ? known : known.set(me.id, inOwnOrder(me.name));
  }, [all, me]);
  const takeNote = useUnknown(peopleKey);
  const nameOf = useCallback(
    (userId: string) => {
      const name = names.get(userId);
      if (name === undefined && isSuccess) takeNote(userId);
      return name ?? (isSuccess ? "Somebody" : "");
    },
    [names, isSuccess, takeNote],
  );
  return useMemo(() => ({ all, nameOf }), [all, nameOf]);
}

async function readPeople(): Promise<Person[]> {
  const people: Person[] = [];
  let after: string | undefined;
  for (let page = 0; page < PAGES_MAX; page++) {
    const { items, next } = await client.users.list(after === undefined ? {} : { after });
    people.push(...items);
    if (next === null) break;
    after = next;
  }
  return people;
}
