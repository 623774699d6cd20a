#!/usr/bin/env bash
# An agent that does what it reads, and nothing else tells it what: a prompt's lines become the file search.txt; a comment's
# words come to stand where the comment's line stands; where the base moved, both sides are taken. Told to leave a conflict, it
# ends in the middle of one.
set -eu
message=$(cat)
take_both() {
  while read -r file; do
    grep -vE '^(<<<<<<<|=======|>>>>>>>)' "$file" >"$file.whole"
    mv "$file.whole" "$file"
    git add "$file"
  done < <(sed -n 's/^- `\([^`]*\)`.*$/\1/p' <<<"$message")
}
if [[ $message == *"Merging this branch into"* ]]; then
  base=$(sed -n 's/^Merging this branch into `\(.*\)` conflicts.*/\1/p' <<<"$message")
  git merge -q "$base" || true
  take_both
  git commit -qm "Bring in $base"
elif [[ $message == *"marks of a conflict"* ]]; then
  take_both
elif [[ $message == "leave a conflict: "* ]]; then
  mine=$(git branch --show-current)
  sed -i "1i ${message#*: } here" search.txt
  git commit -qam "Here"
  git checkout -q -b "there-$$" HEAD~1
  sed -i "1i ${message#*: } there" search.txt
  git commit -qam "There"
  git checkout -q "$mine"
  git merge -q "there-$$" || true
elif [[ $message == *"Comments on lines of the diff"* ]]; then
  place=$(sed -n 's/^### `\(.*\)`$/\1/p' <<<"$message")
  sed -i "${place##*:}s/.*/$(tail -n 1 <<<"$message")/" "${place%:*}"
else
  printf '%s\n' "$message" >search.txt
fi
echo done
