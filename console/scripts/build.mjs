import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { build } from 'vite'

/**
 * Builds the console into the folder that the command line names, then writes a compressed copy beside each file, so
 * that the service does not compress at run time.
 */
const [folder] = process.argv.slice(2)
if (!folder) {
  console.error('Usage: node console/scripts/build.mjs FOLDER')
  process.exit(2)
}

// Vite would take a relative path as one below the console's folder.
const outDir = resolve(folder)
await build({
  configFile: join(import.meta.dirname, '..', 'vite.config.ts'),
  logLevel: 'warn',
  build: { outDir, emptyOutDir: true },
})
await Promise.all(filesBelow(outDir).filter(isWorthwhile).map(compress))

function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

/** The HTML page gets a nonce in every response, so it cannot be compressed in advance. */
function isWorthwhile(file) {
  return /\.(js|css|svg)$/.test(file) && readFileSync(file).length > 1024
}

async function compress(file) {
  const bytes = readFileSync(file)
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } }
  writeFileSync(`${file}.br`, await promisify(brotliCompress)(bytes, quality))
  writeFileSync(`${file}.gz`, await promisify(gzip)(bytes, { level: 9 }))
}
