import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { hasIsolatedVm } from '../../../../tests/harness/script-engines.ts'
import { loadConfig } from '../../config.ts'
import { chooseEngine } from './engines.ts'

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true })
})

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-engines-'))
  folders.push(folder)
  return folder
}

const module = JSON.stringify(new URL('./engines.ts', import.meta.url).href)

/** Runs code in a process that also finds packages in this folder. */
function chooseIn(folder: string, choice: string): string {
  const code = `import { chooseEngine } from ${module}
    try { console.log(chooseEngine('${choice}').name) } catch (error) { console.log(error.message) }`
  const env = { PATH: process.env.PATH, NODE_PATH: folder }
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], { env, encoding: 'utf8' })
  return stdout.trim() || stderr
}

/** Makes a folder with a package of that name whose binary is not a binary. */
function withBrokenPackage(): string {
  const folder = emptyFolder()
  const [main, builds] = ['isolated-vm', 'node-gyp-build'].map((name) => join(folder, name))
  for (const each of [main, builds]) mkdirSync(each ?? '')
  writeFileSync(join(main ?? '', 'index.js'), '')
  writeFileSync(join(main ?? '', 'broken.node'), 'no binary')
  writeFileSync(
    join(builds ?? '', 'index.js'),
    "exports.path = (folder) => require('node:path').join(folder, 'broken.node')",
  )
  return folder
}

test('QuickJS runs scripts unless the operator chooses another engine', () => {
  expect(loadConfig({}).scriptEngine).toBe('quickjs')
  expect(chooseEngine('quickjs')).toMatchObject({ name: 'quickjs', files: [expect.stringMatching(/quickjs\.wasm$/)] })
})

test.runIf(hasIsolatedVm)('isolated-vm runs scripts if it is installed and chosen', () => {
  expect([chooseEngine('isolated-vm').name, chooseEngine('auto').name]).toEqual(['isolated-vm', 'isolated-vm'])
})

test('isolated-vm that is not installed is an error that says what to do, and auto does without it', () => {
  const nothing = emptyFolder()
  expect(chooseIn(nothing, 'isolated-vm')).toMatch(/SCRIPT_ENGINE.*not installed.*npm install.*NODE_PATH/)
  expect(chooseIn(nothing, 'auto')).toBe('quickjs')
})

test('isolated-vm that is installed and does not work is an error with its reason, and auto does without it', () => {
  const broken = withBrokenPackage()
  expect(chooseIn(broken, 'isolated-vm')).toMatch(/SCRIPT_ENGINE.*cannot run scripts here: .*broken\.node/)
  expect(chooseIn(broken, 'auto')).toBe('quickjs')
})
