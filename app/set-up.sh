# SPDX-FileCopyrightText: The Lockscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash disable=SC2154
#
# What `app/run` and `tests/run` share: the packages that Lockscope is built from, and how to get and build it.
# To be sourced, with `root` set to the top folder. Everything it says goes to standard error: standard output belongs to the program.

# Debian 12's names.
readonly build_packages=(
    g++ cmake ninja-build ccache lld pkg-config
    qt6-base-dev qt6-svg-dev libgl1-mesa-dev libqcustomplot-dev libhiredis-dev libsqlite3-dev liblua5.1-0-dev libxxhash-dev
    libcmark-gfm-dev libcmark-gfm-extensions-dev libyaml-cpp-dev nlohmann-json3-dev libfmt-dev libcli11-dev
    fonts-dejavu-core
)
# redis-tools holds the very binary that the package redis-server starts as a service; see redis_server_on_path().
readonly test_packages=(libbenchmark-dev redis-tools)

say() { printf 'lockscope: %s\n' "$*" >&2; }
die() {
    say "$@"
    exit 1
}

is_debian_12() {
    local ID='' VERSION_ID=''
    # shellcheck source=/dev/null
    [[ -r /etc/os-release ]] && . /etc/os-release
    [[ $ID == debian && $VERSION_ID == 12 ]]
}

# Those of the named packages that are not installed, one a line.
missing_packages() {
    local known
    known=$(dpkg-query -W -f='${db:Status-Status} ${Package}\n' "$@" 2>/dev/null || true)
    local package
    for package in "$@"; do
        [[ $'\n'$known$'\n' == *$'\n'"installed $package"$'\n'* ]] || printf '%s\n' "$package"
    done
}

# Runs a command quietly; the end of what it said is shown if it fails.
quietly() {
    local log status=0
    log=$(mktemp)
    "$@" >"$log" 2>&1 </dev/null || status=$?
    ((status == 0)) || tail -n 60 "$log" >&2
    rm -f "$log"
    return "$status"
}

# Installs what is missing of the named packages, on Debian 12. Elsewhere it names them if the tools are not there.
need_packages() {
    if ! is_debian_12; then
        local tool
        for tool in cmake ninja c++ pkg-config; do
            command -v "$tool" >/dev/null ||
                die "'$tool' is not installed. This system is not Debian 12, so please install yourself what these" \
                    "packages of Debian hold: $*"
        done
        return
    fi
    local missing
    mapfile -t missing < <(missing_packages "$@")
    ((${#missing[@]})) || return 0
    local as_root=()
    if ((EUID != 0)); then
        command -v sudo >/dev/null ||
            die "these packages are missing, and there is no sudo to install them. As root: apt-get install ${missing[*]}"
        as_root=(sudo)
    fi
    say "installing ${missing[*]}"
    "${as_root[@]}" true || die "without root rights these packages cannot be installed: ${missing[*]}"
    local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 apt-get -q -y)
    quietly "${apt[@]}" update || say "apt-get update failed; trying with the package lists that are here"
    quietly "${apt[@]}" install --no-install-recommends "${missing[@]}" ||
        die "apt-get could not install: ${missing[*]}"
}

# Tests start a redis-server of their own. Debian's package of that name would also leave one running as a service, now
# and after each boot. The program itself lies in redis-tools, under another name: it acts by the name it is called by.
redis_server_on_path() {
    command -v redis-server >/dev/null && return
    local program
    program=$(command -v redis-check-rdb) || return 0
    mkdir -p "$root/build/tools"
    ln -sf "$program" "$root/build/tools/redis-server"
    PATH=$root/build/tools:$PATH
}

# As many compilers at once as there are processors and memory for.
build_jobs() {
    local processors memory
    processors=$(nproc 2>/dev/null || echo 2)
    memory=$(awk '/^MemAvailable:/ { print int($2 / 1200000) }' /proc/meminfo 2>/dev/null || echo "$processors")
    ((memory >= 1)) || memory=1
    echo $((processors < memory ? processors : memory))
}

# configure PRESET [CMAKE ARGUMENT]…
configure() {
    quietly cmake --preset "$@" ||
        die "the build could not be configured, see above. What it needs is in these packages of Debian 12:" \
            "${build_packages[*]} ${test_packages[*]}"
}

# build PRESET [TARGET]…; does nothing, and fast, if nothing has changed. Two at once wait for each other.
build() {
    local folder=$root/build/$1
    shift
    local jobs
    (
        flock 9
        if [[ $(ninja -C "$folder" -n "$@" 2>/dev/null) != *'no work to do'* ]]; then
            say "building ${folder##*/} (the first time takes some minutes)"
            jobs=$(build_jobs)
            quietly ninja -C "$folder" -j "$jobs" "$@" || die "the build failed, see above"
        fi
    ) 9>"$folder/.lock"
}
