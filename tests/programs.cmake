# Tests that are programs of their own: over HTTP, the command line, the page, the files that an operator installs, and how the
# sources look. Included by CMakeLists.txt beside this file, where labels are explained.
set(costcurve $<TARGET_FILE:costcurve>)
set(root ${CMAKE_SOURCE_DIR})

# ---- API and contract, on SQLite
set(api ${here}/api)
set(contract ${node} ${here}/contract/contract.mjs ${costcurve} ${root})
set(mcp ${node} ${here}/mcp/mcp_test.mjs ${costcurve} ${root})
register(contract "http" 900 ${contract})
register(mcp "http" 900 ${mcp})
register(openapi "http" 300 ${python} ${here}/openapi_test.py ${costcurve} ${root})
# api_test(<name> <arguments…>): tests/api/<name>_test.py, which starts daemons on files of its own.
function(api_test name)
  register(${name} "http" 300 ${python} ${api}/${name}_test.py ${costcurve} ${ARGN})
endfunction()
api_test(store_faults)
api_test(store_guard)
api_test(unreadable)
api_test(stores ${root})
api_test(faults)
api_test(python_client)
api_test(webhooks)
api_test(feeds ${root} Feeds)
api_test(feed_redirects ${root})
api_test(held_prices ${root})
api_test(nightly ${root})
api_test(daemon --items 20000)
api_test(command_line)
api_test(catalogue ${root})
api_test(recalculation --kills 10)
api_test(watched --kills 5)
api_test(questions_line)
api_test(rank_line)
# What takes longer: each fault at each place, a clock that is waited for, a real Prometheus, more kills.
register(contract_full "http;full.random" 900 ${contract} --full)
register(nightly_wait "http;full.kills" 600 ${python} ${api}/nightly_test.py ${costcurve} ${root} --wait)
register(feeds_prometheus "http;full.install" 300 ${python} ${api}/feeds_test.py ${costcurve} ${root} RealPrometheus)
register(daemon_100000 "http;full.kills" 600 ${python} ${api}/daemon_test.py ${costcurve} --items 100000)
register(recalculation_kills "http;full.kills" 600 ${python} ${api}/recalculation_test.py ${costcurve} --kills 50)
register(watched_kills "http;full.kills" 600 ${python} ${api}/watched_test.py ${costcurve} --kills 50)

# ---- PostgreSQL: a smoke of each program on one server, and in a lane all that runs on SQLite, and what only servers can suffer
if(COSTCURVE_POSTGRES)
  set(smoke ${python} ${here}/support/postgres.py --shared)
  # postgres_test(<name> <labels> <test of it that is the smoke> <arguments…>): tests/api/<name>_test.py, all of it in the lane.
  function(postgres_test name part)
    set(run ${python} ${api}/${name}_test.py ${costcurve} ${ARGN})
    if(part)
      register(smoke.${name} "http" 300 ${smoke} ${run} ${part})
    endif()
    register(postgres.api_${name} "http;full.postgres" 600 ${on_postgres} ${run})
  endfunction()
  set(killed RecalculationTest.test_killed_at_random_points_it_goes_on_and_stores_each_result_once)
  set(flipped Feeds.test_three_days_of_lists_flip_the_cheapest_and_the_webhook_is_told)
  register(smoke.contract "http" 900 ${smoke} ${contract} --good)
  register(smoke.storage "unit" 900 ${smoke} $<TARGET_FILE:storage_postgres_tests>
    --gtest_filter=Threads.*:Daemons.*:Keys.*:Answers.*:Outbox.*:Runs.*:Jobs.*:AsOf.*:PostgresOpen.*:PostgresTransaction.*)
  register(smoke.recalculation "http" 300 ${smoke} ${python} ${api}/recalculation_test.py ${costcurve} --kills 3 ${killed})
  postgres_test(nightly "" ${root} --wait)
  postgres_test(watched "")
  postgres_test(recalculation "")
  postgres_test(webhooks Webhooks.test_an_event_is_delivered_signed_after_failures)
  postgres_test(feeds ${flipped} ${root})
  postgres_test(feed_redirects "" ${root})
  postgres_test(held_prices HeldPrices.test_nothing_flips_on_held_prices_until_they_are_accepted ${root})
  postgres_test(faults "")
  postgres_test(daemon DaemonTest.test_it_listens_beyond_this_machine_only_with_keys)
  postgres_test(catalogue CatalogueTest.test_a_newer_price_list_changes_the_shipped_scenarios ${root})
  postgres_test(python_client Answers.test_pages_are_one_iterator)
  postgres_test(rank_line RankTest.test_the_command_line_is_what_http_answers)
  postgres_test(questions_line QuestionsTest.test_json_is_what_http_answers)
  set(engine ${here}/storage/postgres)
  register(postgres.storage "unit;full.postgres" 2400 ${on_postgres} $<TARGET_FILE:storage_postgres_tests>)
  register(postgres.jobs "unit;full.postgres" 2400 ${on_postgres} $<TARGET_FILE:jobs_tests>)
  register(postgres.api "unit;full.postgres" 2400 ${on_postgres} $<TARGET_FILE:api_tests>)
  register(postgres.contract "http;full.postgres" 900 ${on_postgres} ${contract} --full)
  register(postgres.mcp "http;full.postgres" 900 ${on_postgres} ${mcp})
  register(postgres.daemons "unit;full.postgres" 2400 ${python} ${engine}/daemons_test.py ${costcurve} --kills 20)
  register(postgres.failure_modes "unit;full.postgres" 2400 ${python} ${engine}/failure_modes_test.py ${costcurve})
  register(postgres.behind_nginx "unit;full.postgres" 2400 ${python} ${engine}/behind_nginx_test.py ${costcurve} ${root})
endif()

# ---- The second evaluator beside the program, on random scenarios; the catalogue; published files
register(reference.agrees "reference" 900 ${python} ${reference}/compare.py --costcurve ${costcurve} --count 100
  --seed ${random_seed})
register(reference.agrees_500 "reference;full.random" 900 ${python} ${reference}/compare.py --costcurve ${costcurve} --count 500
  --seed ${random_seed})
register(published_files "http" 300 ${python} ${here}/import/published_files_test.py ${costcurve} ${root})
register(documents "style" 300 ${python} ${reference}/check_documents.py)
set_tests_properties(documents PROPERTIES WORKING_DIRECTORY ${root})
register(catalog "style" 600 ${root}/deploy/catalog/rebuild --check ${costcurve})
register(catalog_agreement "style" 300 ${python} ${here}/catalog/agreement_test.py ${root})
register(catalog_coverage "style" 300 ${python} ${here}/catalog/coverage_test.py ${root})
register(catalog_identity "style" 300 ${python} ${here}/catalog/identity_test.py ${costcurve} ${root})
register(catalog_models "style" 300 ${python} ${here}/catalog/models_test.py ${root})
register(catalog_estimates "style" 300 ${python} ${here}/catalog/estimates_test.py ${root})

# ---- How the sources look, and what the docs say of them
register(running "style" 300 ${python} ${here}/running_test.py ${CMAKE_BINARY_DIR})
register(floors "style" 300 ${python} ${here}/floors_test.py ${root})
register(packages "style" 300 ${python} ${here}/packages_test.py ${root})
register(hardening "style" 300 ${python} ${here}/hardening_test.py ${costcurve} ${CMAKE_BINARY_DIR})
register(docs "style" 300 ${python} ${here}/docs_test.py ${root} ${costcurve})
register(format "style" 300 ${here}/style/format ${root})
register(tidy "style" 600 ${python} ${here}/style/tidy ${root} ${CMAKE_BINARY_DIR}/tidy --seconds 120)
register(tidy_all "style;full.tidy" 6000 ${python} ${here}/style/tidy ${root} ${CMAKE_BINARY_DIR}/tidy)
set_tests_properties(tidy tidy_all PROPERTIES PROCESSORS 2)

# ---- The page in a browser
set(ui ${node} ${here}/ui/ui.mjs ${costcurve} ${root})
register(ui "ui" 900 ${ui} --main)
set_tests_properties(ui PROPERTIES COST 2000) # the longest begins first
register(ui_rest "ui;full.browser" 1800 ${ui} --rest)
register(ui_dark "ui;full.browser" 1800 ${ui} --dark)

# ---- Mixed load for a while
set(soak ${python} ${here}/soak)
register(soak.minute "soak;full.soak" 600 ${soak}/soak.py ${costcurve} --minutes 1 --pace 0.3 --seed ${random_seed})
set_tests_properties(soak.minute PROPERTIES PROCESSORS 2)
if(COSTCURVE_POSTGRES)
  register(soak.daemons "soak;full.soak" 900 ${soak}/daemons.py ${costcurve} --minutes 2 --scenarios 200 --seed ${random_seed})
  set_tests_properties(soak.daemons PROPERTIES PROCESSORS 2)
endif()

# ---- What an operator installs
set(deploy_tests ${here}/deploy)
register(deploy.units "deploy" 600 ${python} ${deploy_tests}/units_test.py ${root})
register(deploy.kubernetes "deploy" 600 ${python} ${deploy_tests}/kubernetes_test.py ${root})
register(deploy.nginx "deploy" 600 ${python} ${deploy_tests}/nginx_test.py ${costcurve} ${root})
register(deploy.monitoring "deploy" 600 ${python} ${deploy_tests}/monitoring_test.py ${costcurve} ${root})
register(deploy.package "deploy;full.install" 600 ${python} ${deploy_tests}/package_test.py ${costcurve} ${root}
  ${CMAKE_BINARY_DIR})
register(deploy.install "deploy;full.install" 1200 ${python} ${deploy_tests}/install_test.py ${root} ${CMAKE_BINARY_DIR})
register(deploy.container "deploy;full.install" 1200 ${python} ${deploy_tests}/container_test.py ${root} ${CMAKE_BINARY_DIR})

# ---- Fuzz targets, by clang++ in a project of their own: cmake --build build/run --target fuzz_targets. A minute each, or an hour,
# where there is time.
find_program(CLANG NAMES clang++)
set(COSTCURVE_FUZZ_SECONDS 20 CACHE STRING "how long each fuzz target runs")
if(CLANG)
  include(ExternalProject)
  set(fuzz ${CMAKE_CURRENT_BINARY_DIR}/fuzz)
  ExternalProject_Add(fuzz_targets SOURCE_DIR ${here}/fuzz BINARY_DIR ${fuzz} PREFIX ${fuzz}/project EXCLUDE_FROM_ALL ON
    CMAKE_ARGS -DCMAKE_CXX_COMPILER=${CLANG} -DCMAKE_BUILD_TYPE=None INSTALL_COMMAND "" BUILD_ALWAYS ON USES_TERMINAL_BUILD ON)
  # The first of its lane builds them.
  register(fuzz.build "fuzz;full.fuzz" 6000 ${CMAKE_COMMAND} --build ${CMAKE_BINARY_DIR} --target fuzz_targets)
  set_tests_properties(fuzz.build PROPERTIES RUN_SERIAL ON)
  foreach(target IN ITEMS formats texts prometheus head cron multipart documents parameters chunked)
    register(fuzz.${target} "fuzz;full.fuzz" 600 ${python} ${here}/fuzz/run.py ${fuzz}/fuzz_${target} ${COSTCURVE_FUZZ_SECONDS}
      ${fuzz}/${target})
  endforeach()
endif()

# ---- Whole builds of their own: units under sanitizers, benchmarks, the README's commands on a fresh machine
register(mutation_grammar "style" 300 ${python} ${here}/mutation/faults_test.py ${root})
register(mutation "full.mutation" 2400 ${python} ${here}/mutation/mutate.py ${root} --within 1500)
register(sanitizers "unit;full.sanitizers" 6000 ${here}/support/sanitizers ${root})
register(fresh_machine "deploy;full.machine" 6000 ${python} ${here}/fresh_machine/fresh_machine.py ${root})
set_tests_properties(sanitizers fresh_machine mutation PROPERTIES RUN_SERIAL ON)
if(COSTCURVE_BENCH)
  register(benches "full.bench" 6000 ${CMAKE_COMMAND} --build ${CMAKE_BINARY_DIR} --target benches)
  set_tests_properties(benches PROPERTIES RUN_SERIAL ON)
endif()
