#!/usr/bin/env bash
# An agent that does what it reads, and nothing else tells it what: a prompt's lines become the file search.txt; a comment's
# words come to stand where the comment's line stands; where the base moved, both sides are taken.
set -eu
# Whoever runs it may have no name of their own in git.
export GIT_AUTHOR_NAME=Agent GIT_AUTHOR_EMAIL=agent@example.test
export GIT_COMMITTER_NAME=Agent GIT_COMMITTER_EMAIL=agent@example.test
message=$(cat)
if [[ $message == *"Merging this branch into"* ]]; then
  base=$(sed -n 's/^Merging this branch into `\(.*\)` conflicts.*/\1/p' <<<"$message")
  git merge -q "$base" || true
  while read -r file; do
    grep -vE '^(<<<<<<<|=======|>>>>>>>)' "$file" >"$file.whole"
    mv "$file.whole" "$file"
    git add "$file"
  done < <(sed -n 's/^- `\(.*\)`$/\1/p' <<<"$message")
  git commit -qm "Bring in $base"
elif [[ $message == *"Comments on lines of the diff"* ]]; then
  place=$(sed -n 's/^### `\(.*\)`$/\1/p' <<<"$message")
  sed -i "${place##*:}s/.*/$(tail -n 1 <<<"$message")/" "${place%:*}"
else
  printf '%s\n' "$message" >search.txt
fi
echo done
