# The document of deploy/sbom, from what it found: a Debian package a line of $packages, npm's of $lock with their $archives.
def licensed(expression):
  if expression == null or expression == "" then []
  elif expression | test(" (OR|AND|WITH) ") then [{expression: expression}]
  elif expression | test("^[A-Za-z0-9.+-]+$") then [{license: {id: expression}}]
  else [{license: {name: expression}}] end;
def property(name; value): {name: ("costcurve:" + name), value: value};

($licences[0]) as $table
| def of_package($name; $words):
    $table.packages[$name] // $table.words[$words]
    // (if $words == "" then "see /usr/share/doc/\($name)/copyright" else "\($words) (Debian's name)" end);
  [$packages | split("\n")[] | select(. != "") | split("\t")
   | {name: .[0], version: .[1], architecture: .[2], words: .[3], files: (.[4] | split(" ")), how: .[5]}
   | "?arch=\(.architecture)&distro=\($distribution)" as $where
   | "pkg:deb/\($distribution | split("-")[0])/\(.name | @uri)@\(.version | @uri)\($where)" as $purl
   | {type: "library", "bom-ref": $purl, purl: $purl, name, version, scope: "required",
      licenses: licensed(of_package(.name; .words)),
      properties: ([property("linkage"; .how)] + [.files[] | property("file"; .)])}] as $debian
| [$lock[0].packages | to_entries[] | select(.key != "" and (.value.dev | not)) | .key as $folder
   | ($folder | ltrimstr("node_modules/")) as $name
   | "pkg:npm/\($name | gsub("@"; "%40"))@\(.value.version)" as $purl
   | {type: "library", "bom-ref": $purl, purl: $purl, name: $name, version: .value.version, scope: "required",
      licenses: licensed(.value.license), hashes: [{alg: "SHA-512", content: $archives[0][$folder].hash}],
      properties: [property("linkage"; "compiled_in")],
      components: [$archives[0][$folder].bundled | to_entries[]
        | (.value | test("^[0-9]")) as $exact
        | {type: "library", "bom-ref": "\($purl)#\(.key)", name: .key, licenses: licensed($table.bundled[$name][.key]),
           properties: [property("linkage"; "bundled"), (if $exact then empty else property("version_range"; .value) end)]}
          + (if $exact then {version: .value, purl: "pkg:npm/\(.key | gsub("@"; "%40"))@\(.value)"} else {} end)]}
   | if .components == [] then del(.components) else . end] as $npm
| ($debian + $npm | sort_by(.["bom-ref"])) as $components
| "costcurve@\($version)" as $itself
| {bomFormat: "CycloneDX", specVersion: "1.5", version: 1,
   metadata: {component: {type: "application", "bom-ref": $itself, name: "costcurve", version: $version,
                          licenses: licensed("Apache-2.0")}},
   components: $components,
   dependencies: [{ref: $itself, dependsOn: [$components[]
     | select(any(.properties[]; .value == "direct" or .value == "compiled_in")) | .["bom-ref"]]}]}
