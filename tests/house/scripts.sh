#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Lockscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The scripts that set up, build and test. The first argument is the top folder.
# shellcheck disable=SC2015,SC2123
set -euo pipefail
top=$1
fail() {
    printf 'FAILED: %s\n' "$*"
    exit 1
}

for script in "$top/app/run" "$top/tests/run" "$top/tests/fuzz/run" "$top/.ci/run"; do
    [[ -x $script ]] || fail "$script cannot be executed"
    bash -n "$script" || fail "$script does not parse"
done
if command -v shellcheck >/dev/null; then
    shellcheck -x -P "$top" "$top"/{app,tests,tests/fuzz,.ci}/run "$top/app/set-up.sh" "$top"/tests/house/*.sh || fail shellcheck
fi

# A wrong option gives the usage and exit code 2, before anything is installed or built.
status=0
said=$("$top/tests/run" --nonsense 2>&1) || status=$?
((status == 2)) && [[ $said == *"'--nonsense' is not known here"*usage:* ]] || fail "tests/run --nonsense: $status, $said"
status=0
said=$("$top/tests/run" --preset nonsense 2>&1) || status=$?
((status == 1)) && [[ $said == *'allowed: release, dev, asan'* ]] || fail "tests/run --preset nonsense: $said"

root=$top
# shellcheck source=app/set-up.sh
. "$top/app/set-up.sh"

# What is not installed is found, and nothing else.
if is_debian_12; then
    [[ $(missing_packages bash no-such-package dpkg) == no-such-package ]] || fail "missing packages are not found"
fi

# On another system without the tools, the packages are named and nothing is tried.
status=0
said=$(
    is_debian_12() { false; }
    PATH=/nowhere
    need_packages "${build_packages[@]}" 2>&1
) || status=$?
((status == 1)) && [[ $said == *"'cmake' is not installed"*qt6-base-dev* ]] || fail "on another system: $status, $said"

# With the tools there, it goes on without a word.
said=$(
    is_debian_12() { false; }
    need_packages "${build_packages[@]}" 2>&1
) || fail "on another system with the tools: $said"
[[ -z $said ]] || fail "on another system with the tools it said: $said"

# A failing command shows what it said, a good one stays quiet.
[[ -z $(quietly echo well 2>&1) ]] || fail "quietly is not quiet"
said=$(quietly bash -c 'echo no; exit 3' 2>&1) && fail "quietly hides a failure"
[[ $said == no ]] || fail "quietly hides why: $said"
jobs=$(build_jobs)
((jobs >= 1)) || fail "$jobs jobs"
