import { execFile } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const sources = [
  ...['scripts', 'site', 'docs', 'package.json', 'package-lock.json'],
  ...['examples', 'console/public/bell.svg', 'server/src/api/reference/page.css', 'server/src/api/reference/scheme.js'],
]
const script = "const { ensureWeb } = await import('./scripts/web.mjs'); await ensureWeb(process.execPath, ['site'])"

test('the docs site is built in a folder with special characters, and again only after a change', async () => {
  const copy = mkdtempSync(join(tmpdir(), 'tocsin [docs] (a b) '))
  onTestFinished(() => rmSync(copy, { recursive: true, force: true }))
  for (const source of sources) {
    mkdirSync(dirname(join(copy, source)), { recursive: true })
    cpSync(join(root, source), join(copy, source), { recursive: true, filter: (file) => !file.endsWith('/dist') })
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  const build = async () => {
    const { stderr } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
      cwd: copy,
    })
    return stderr
  }
  const page = (name: string) => readFileSync(join(copy, 'site/dist', name), 'utf8')

  expect(await build()).toBe('Building the docs site\n')
  expect(page('errors.html')).toContain('<h1 id="errors">Errors</h1>')
  expect(page('files/pictures/curve-scripts.svg')).toBe(page('../../docs/pictures/curve-scripts.svg'))
  expect(await build()).toBe('')

  appendFileSync(join(copy, 'docs/errors.md'), '\n## Added by a {{test}}\n')
  writeFileSync(join(copy, 'docs/guide/new.md'), '# A new page\n\nSee [errors](../errors.md#added-by-a-test).\n')
  expect(await build()).toBe('Building the docs site\n')
  expect(page('errors.html')).toContain('<h2 id="added-by-a-test">Added by a {{test}}</h2>')
  expect(page('guide/new.html')).toContain('<a href="/docs/errors#added-by-a-test">errors</a>')
  expect(page('errors.html')).toContain('<a href="/docs/guide/new">A new page</a>')
})
