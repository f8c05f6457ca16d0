import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runQuietly } from '../../scripts/child.mjs'
import {
  findNode22,
  findOldestNode,
  installOtherRuntimes,
  installPackages,
  type UserProject,
} from '../harness/packages.ts'
import { environment, program, writeMain } from '../harness/user-program.ts'

/** The packed packages in an empty folder, on other runtimes and with compilers and bundlers. */
let project: UserProject
// The compiler has much to do on a busy machine.
const patientMs = 300_000
beforeAll(async () => {
  project = await installPackages()
}, patientMs)
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

test.runIf(process.env.OTHER_RUNTIMES)(
  'the packages and the examples run on Node 22, Deno and Bun',
  async () => {
    for (const command of [[await findNode22()], ...(await installOtherRuntimes(project))]) {
      expect(await project.run(command, writeMain(project), await environment())).toMatch(/\nok not_found 404 1\n$/)
    }
  },
  180_000,
)

test('npx runs the command from its tarball, and `npm run tocsin` from the repository', async () => {
  const { version } = JSON.parse(readFileSync(join(project.folder, 'node_modules/@tocsin/cli/package.json'), 'utf8'))
  expect((await project.npx('tocsin', '--version')).trim()).toBe(version)
  const root = resolve(import.meta.dirname, '../..')
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const [, ...words] = scripts.tocsin.split(' ')
  const { stdout } = await promisify(execFile)(process.execPath, [...words, '--version'], { cwd: root })
  expect(stdout.trim()).toBe(version)
})

test.each([
  ['node16', 'node16'],
  ['nodenext', 'nodenext'],
  ['esnext', 'bundler'],
])(
  'a strict TypeScript project with module %s passes without further options',
  async (module, moduleResolution) => {
    project.write(
      'typed.ts',
      `import { type Client, createClient } from '@tocsin/sdk'

const client: Client = createClient({ baseUrl: 'http://127.0.0.1:4100' })
export const first: Promise<string | undefined> = client.listAlerts({ query: { limit: 10 } }).then(([alert]) => alert?.id)
// @ts-expect-error A project has a fullname.
export const project = client.getProject({})
`,
    )
    const compilerOptions = {
      module,
      moduleResolution,
      target: 'es2022',
      strict: true,
      noEmit: true,
      skipLibCheck: false,
    }
    const file = project.write('tsconfig.json', JSON.stringify({ compilerOptions, files: ['typed.ts'] }))
    const tsc = resolve(import.meta.dirname, '../../node_modules/typescript/bin/tsc')
    await expect(runQuietly([process.execPath, tsc, '-p', file])).resolves.toBeUndefined()
  },
  patientMs,
)

test('a bundler makes one file of the packages that needs nothing else', async () => {
  project.write('program.js', program)
  await build({
    root: project.folder,
    configFile: false,
    logLevel: 'error',
    build: { lib: { entry: 'program.js', formats: ['es'], fileName: 'bundle' }, outDir: 'bundled', minify: false },
  })
  const bundle = readFileSync(join(project.folder, 'bundled', 'bundle.js'), 'utf8')
  expect(bundle).not.toMatch(/^import .* from|\bimport\(/m)
  const { TOCSIN_URL, TOCSIN_TOKEN } = await environment()
  const { useApi } = await import(join(project.folder, 'bundled', 'bundle.js'))
  expect(await useApi(TOCSIN_URL, TOCSIN_TOKEN)).toBe('ok not_found 404 1')
})
