// Imports a package that tests need; without it ends with a sentence and status 77, which ctest counts as skipped.

export async function needed(name) {
  try {
    return await import(name);
  } catch (error) {
    if (error.code !== "ERR_MODULE_NOT_FOUND") throw error;
    const [first, second] = name.split("/");
    console.log(`skipped: ${first.startsWith("@") ? `${first}/${second}` : first} is not installed (deploy/packages test)`);
    process.exit(77);
  }
}
