#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Lockscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# House rules that a compiler does not see. Prints each breach as `file: what`, and fails if there is one.
# The first argument is the top folder.
set -euo pipefail
export LC_ALL=C.UTF-8
cd "$1"

breaches=$(mktemp)
trap 'rm -f "$breaches"' EXIT
breach() { printf '%s: %s\n' "$1" "$2" | tee -a "$breaches"; }

mapfile -t files < <(find . \( -path ./build -o -path './.*' -o -name '*.pyc' \) -prune -o -type f -printf '%P\n' | sort)
((${#files[@]} > 100)) || breach "$1" 'this does not look like the source tree'
matching() { printf '%s\n' "${files[@]}" | grep -E "$1" || true; }
mapfile -t sources < <(matching '\.(cpp|h)$')

# Licence: everything we write names it at its top.
for file in "${sources[@]}" $(matching '(CMakeLists\.txt|\.sh|(^|/)run)$') $(matching '^lessons/.*\.md$' | grep -v README); do
    [[ $(head -n 6 "$file") == *SPDX-FileCopyrightText*SPDX-License-Identifier:\ GPL-3.0-or-later* ]] ||
        breach "$file" 'the two SPDX lines are missing at the top'
done

# Layers: a room includes itself and the rooms it stands on.
declare -A may_include=(
    [core/base]='core/base'
    [core/lua]='core/(base|lua)'
    [core/redis]='core/(base|lua|redis)'
    [core/trace]='core/(base|trace)'
    [core/world]='core/(base|lua|redis|trace|world)'
    [core/lesson]='core/(base|lua|redis|trace|world|lesson)'
    [core/search]='core/(base|lua|redis|trace|world|lesson|search)'
    [core/live]='core/[a-z]+'
    [ui]='(ui|core/(base|lua|redis|trace|world|lesson|search))'
    [app]='(app|ui|core)'
)
for room in $(printf '%s\n' "${files[@]}" | grep -oE '^core/[a-z]+/' | sort -u); do
    [[ -v may_include[${room%/}] ]] || breach "$room" 'a room that the layers do not know'
done
for room in "${!may_include[@]}"; do
    while IFS=: read -r file _ include; do
        [[ -z $file ]] || breach "$file" "includes $include, which lies outside its layer"
    done < <(matching "^$room/.*\.(cpp|h)$" | xargs -r grep -HnoP "^#include \"\K(?!${may_include[$room]}/)(app|ui|core|tests)/[^\"]+" || true)
done

# The core knows no Qt; only core/live, a target of its own, speaks to the network with it.
while IFS=: read -r file line _; do
    [[ -z $file ]] || breach "$file:$line" 'Qt has no place in the core'
done < <(matching '^core/' | grep -v '^core/live/' | grep -E '\.(cpp|h)$|CMakeLists\.txt$' |
    xargs grep -nE '#include [<"]Q[A-Zt]|Qt[0-9]?::' || true)

# Every source is part of the build, by name.
for file in $(matching '^(app|core|ui|tests)/.*\.cpp$'); do
    folder=$(dirname "$file")
    while [[ ! -f $folder/CMakeLists.txt ]]; do folder=$(dirname "$folder"); done
    grep -qE "(^|[[:space:](])(\\$\{[A-Z_]+\}/)?${file#"$folder"/}([[:space:])]|$)" "$folder/CMakeLists.txt" ||
        breach "$file" "not listed in $folder/CMakeLists.txt"
done

# One idea a file, so never over 400 lines. A test may be a long table of stories.
for file in "${sources[@]}"; do
    lines=$(wc -l <"$file")
    most=400
    [[ $file != tests/* ]] || most=700
    ((lines <= most)) || breach "$file" "$lines lines; $most at most"
done

for file in $(matching '\.h$'); do
    grep -q '^#pragma once$' "$file" || breach "$file" 'no #pragma once'
done

# What would name a machine, or put something off. The patterns are split so that they do not find themselves.
machine="(^|[^[:alnum:]])/(""work|home|root|Users)/"
while IFS=: read -r file line _; do
    [[ -z $file ]] || breach "$file:$line" 'an absolute path of some machine'
done < <(printf '%s\n' "${files[@]}" | grep -vE '\.(png|ico|qm)$' | xargs -d '\n' grep -nIE "$machine" || true)
later="\b(TO""DO|FIX""ME|XX""X)\b"
while IFS=: read -r file line _; do
    [[ -z $file ]] || breach "$file:$line" 'something is put off here'
done < <(printf '%s\n' "${sources[@]}" | xargs -d '\n' grep -nE "$later" || true)

# Each code folder says what may live there.
for folder in app core ui tests lessons resources $(matching '^(core|ui)/[a-z]+/' | grep -oE '^(core|ui)/[a-z]+' | sort -u); do
    [[ -s $folder/README.md ]] || breach "$folder" 'no README.md'
done

if [[ -s $breaches ]]; then
    printf '%s breaches\n' "$(wc -l <"$breaches")"
    exit 1
fi
