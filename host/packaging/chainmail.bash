# SPDX-License-Identifier: Apache-2.0
# Bash completion for chainmail: commands, options, devices, formats, kinds of problems, files.
_chainmail() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} program=${COMP_WORDS[0]}
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    local commands
    commands=$("$program" --help 2>/dev/null | sed -n 's/^  \([a-z][a-z]*\) .*/\1/p' | grep -v '^chainmail$')
    mapfile -t COMPREPLY < <(compgen -W "$commands --help --version" -- "$word")
    return
  fi
  case $before in
    --device | -d)
      local devices
      devices=$("$program" devices --kernels 2>/dev/null | sed 's/[:,] .*//; s/\[.*//; s/PATH.*//')
      # A device's name may contain a colon, which ends a word for readline: complete what follows it.
      mapfile -t COMPREPLY < <(compgen -W "$devices" -- "$word")
      return ;;
    --format)
      local formats
      formats=$("$program" solve --help-all 2>/dev/null | tr -s '\n ' ' ' |
        sed 's/.*file format: //; s/ \[detect\].*//; s/models://; s/[,;]//g')
      mapfile -t COMPREPLY < <(compgen -W "$formats" -- "$word")
      return ;;
    generate)
      local kinds
      kinds=$("$program" generate --help 2>/dev/null | sed -n '/^Options/q; s/^  \([a-z][a-z0-9-]*\) .*/\1/p')
      mapfile -t COMPREPLY < <(compgen -W "$kinds" -- "$word")
      return ;;
  esac
  if [[ $word == -* ]]; then
    local options
    options=$("$program" "${COMP_WORDS[1]}" --help-all 2>/dev/null | grep -o -e '--[a-z][a-z0-9-]*' | sort -u)
    mapfile -t COMPREPLY < <(compgen -W "$options --help" -- "$word")
    return
  fi
  mapfile -t COMPREPLY < <(compgen -f -- "$word")
}
complete -o filenames -F _chainmail chainmail
