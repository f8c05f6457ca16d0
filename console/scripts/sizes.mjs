import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

/** Prints the size of every chunk, and checks the first visit, which shows the sign-in page, against the limit: HTML, script, styles and the Latin letters of the font. */
const firstLoadMax = 250_000
const dist = join(import.meta.dirname, '..', 'dist')
if (!existsSync(join(dist, 'index.html'))) {
  console.error('There is no build: start the service once, or run `node console/scripts/build.mjs console/dist`.')
  process.exit(2)
}

const page = readFileSync(join(dist, 'index.html'), 'utf8')
const linked = [...page.matchAll(/(?:src|href)="(\/[^"]+\.(?:js|css))"/g)].map(([, path]) => path)
const font = readdirSync(join(dist, 'assets'))
  .filter((name) => /^inter-latin-wght-.*\.woff2$/.test(name))
  .map((name) => `/assets/${name}`)
const first = new Set([...linked, ...font].flatMap((path) => [path, ...importsOf(path)]))
const total = [...first].reduce((sum, path) => sum + gzipped(path), gzipSync(page).length)
for (const path of first) console.log(`${kb(gzipped(path))}  ${path}`)
console.log(`${kb(total)}  first load, gzip (at most ${kb(firstLoadMax)})`)
for (const name of readdirSync(join(dist, 'assets')).filter((name) => /\.(js|css)$/.test(name))) {
  const path = `/assets/${name}`
  if (!first.has(path)) console.log(`${kb(gzipped(path))}  ${path} (later)`)
}
process.exit(total > firstLoadMax ? 1 : 0)

/** All static imports, also indirect ones. Lazy imports are not part of the first load. */
function importsOf(path, seen = new Set()) {
  if (!path.endsWith('.js') || seen.has(path)) return []
  seen.add(path)
  const text = readFileSync(join(dist, path), 'utf8')
  const found = [...text.matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g)].map(([, name]) => `/assets/${name}`)
  return found.flatMap((next) => [next, ...importsOf(next, seen)])
}

function gzipped(path) {
  return gzipSync(readFileSync(join(dist, path)), { level: 9 }).length
}

function kb(bytes) {
  return `${(bytes / 1000).toFixed(1).padStart(7)} kB`
}
