import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findOldestNode, installPackages, type UserProject } from './harness/packages.ts'
import { environment, writeMain } from './harness/user-program.ts'

/** The packed packages in an empty folder. Other runtimes, compilers and bundlers are in tests/long/packages.test.ts. */
let project: UserProject
beforeAll(async () => {
  project = await installPackages()
}, 300_000)
afterAll(() => rmSync(project.folder, { recursive: true, force: true }))

test.each(['contract', 'sdk'])('the package %s has its modules, declarations and sources, and no tests', (name) => {
  const folder = join(project.folder, 'node_modules', '@tocsin', name)
  const about = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
  expect(about.private).toBeUndefined()
  for (const target of Object.values(about.exports['.'])) expect(files).toContain(String(target).slice(2))
  expect(files.filter((file) => !/^(dist|src)\//.test(file)).toSorted()).toEqual([
    'LICENSE',
    'README.md',
    'package.json',
  ])
  expect(files.filter((file) => /\.test\.|\.stamp|tsconfig/.test(file))).toEqual([])
  expect(files.filter((file) => file.startsWith('dist/') && !/\.(js|d\.ts)(\.map)?$/.test(file))).toEqual([])
})

test.each(['Node 20', 'the Node of the service'])(
  'the packages and the examples of docs/sdk.md run on %s',
  async (which) => {
    const node = which === 'Node 20' ? await findOldestNode() : process.execPath
    expect(await project.run([node], writeMain(project), await environment())).toMatch(/\nok not_found 404 1\n$/)
  },
)

test.each(['Node 20', 'the Node of the service'])('the command runs on %s', async (which) => {
  const node = which === 'Node 20' ? await findOldestNode() : process.execPath
  const command = join(project.folder, 'node_modules', '.bin', 'tocsin')
  const env = { ...(await environment()), PATH: process.env.PATH ?? '', HOME: project.folder }
  const { stdout } = await promisify(execFile)(node, [command, 'alerts', '--json'], { cwd: project.folder, env })
  expect(JSON.parse(stdout)).toEqual([])
  const files = readdirSync(join(project.folder, 'node_modules', '@tocsin', 'cli'), { recursive: true }).map(String)
  expect(files).toContain(join('bin', 'tocsin.mjs'))
  expect(files.filter((file) => file.endsWith('.ts'))).toEqual([])
})

test('npx finds the command in this repository, and the command says what to run until it is built', async () => {
  expect(existsSync(join('node_modules', '.bin', 'tocsin'))).toBe(true)
  const folder = mkdtempSync(join(project.folder, 'not-built-'))
  cpSync(join('cli', 'bin'), join(folder, 'bin'), { recursive: true })
  const started = promisify(execFile)(process.execPath, [join(folder, 'bin', 'tocsin.mjs'), 'plan'])
  await expect(started).rejects.toMatchObject({
    code: 1,
    stdout: '',
    stderr: 'tocsin: The command is not built. Run `npm run build`, or use `npm run tocsin -- <command>`.\n',
  })
})
