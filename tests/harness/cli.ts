/** Runs the command `tocsin` as a process, or inside the test where a process for each call would take too long. */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { buildProgram } from '../../cli/src/program.ts'
import { run } from '../../cli/src/run.ts'
import { makeTerminal, type System } from '../../cli/src/terminal/terminal.ts'
import { typeScriptCommand } from '../../scripts/typescript.mjs'

export type CliResult = { code: number | null; out: string; err: string }
export type Workbench = {
  /** The folder of the stack. */
  folder: string
  env: Record<string, string>
  write(file: string, text: string): void
  read(file: string): string
  /** The contents of all files of the folder by their path. */
  files(): Record<string, string>
  tocsin(...args: string[]): Promise<CliResult>
  /** Starts a command that goes on until it is stopped. */
  start(...args: string[]): { lines(): string[]; stop(signal?: NodeJS.Signals): Promise<void> }
  /** The same without a process of its own. */
  inside(...args: string[]): Promise<CliResult>
  remove(): void
}

/** An empty folder, and an environment that has nothing of the person who runs the tests. */
export function makeWorkbench(env: Record<string, string> = {}): Workbench {
  const base = mkdtempSync(join(tmpdir(), 'tocsin-cli-'))
  const folder = join(base, 'stack')
  mkdirSync(folder)
  const all: Record<string, string> = { PATH: process.env.PATH ?? '', HOME: join(base, 'home'), ...env }
  return {
    folder,
    env: all,
    write: (file, text) => {
      mkdirSync(dirname(join(folder, file)), { recursive: true })
      writeFileSync(join(folder, file), text)
    },
    read: (file) => readFileSync(join(folder, file), 'utf8'),
    files: () => contents(folder),
    tocsin: (...args) => runProcess(args, folder, all),
    start: (...args) => startProcess(args, folder, all),
    inside: (...args) => runInside(args, folder, all),
    remove: () => rmSync(base, { recursive: true, force: true }),
  }
}

function contents(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = entries.map((entry) => join(entry.parentPath, entry.name))
  return Object.fromEntries(paths.map((path) => [path.slice(folder.length + 1), readFileSync(path, 'utf8')]))
}

/** The command line and the environment of the command. */
export function cliProcess(args: string[], variables: Record<string, string>) {
  const [[command = '', ...rest], { cwd }] = typeScriptCommand(process.execPath, 'cli/src/main.ts', args)
  const env = { ...variables, NODE_COMPILE_CACHE: resolve(cwd, 'node_modules/.cache/compiled') }
  return { command, args: rest, env }
}

function spawnCli(args: string[], cwd: string, variables: Record<string, string>) {
  const { command, args: rest, env } = cliProcess(args, variables)
  return spawn(command, rest, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
}

function startProcess(args: string[], cwd: string, env: Record<string, string>): ReturnType<Workbench['start']> {
  const child = spawnCli(args, cwd, env)
  const closed = new Promise<void>((done) => child.once('close', () => done()))
  let out = ''
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  return {
    lines: () => out.split('\n').filter(Boolean),
    stop: (signal) => {
      child.kill(signal)
      return closed
    },
  }
}

function runProcess(args: string[], cwd: string, env: Record<string, string>): Promise<CliResult> {
  const child = spawnCli(args, cwd, env)
  const result: CliResult = { code: null, out: '', err: '' }
  child.stdout.on('data', (chunk) => (result.out += chunk))
  child.stderr.on('data', (chunk) => (result.err += chunk))
  return new Promise((done, failed) => {
    child.once('error', failed)
    child.once('close', (code) => done({ ...result, code }))
  })
}

/** Runs a command inside the test, in a folder. */
export async function runInside(args: string[], cwd: string, env: Record<string, string>): Promise<CliResult> {
  const result = { out: '', err: '' }
  return { code: await run(args, systemFor(result, cwd, env)), ...result }
}

function systemFor(result: { out: string; err: string }, cwd: string, env: Record<string, string>): System {
  return {
    env,
    cwd,
    isTerminal: { in: false, out: false, err: false },
    writeOut: (text) => {
      result.out += text
    },
    writeErr: (text) => {
      result.err += text
    },
  }
}

/** The words of every command that does something: `['plan']`, `['trigger', 'test']`. */
export function commandWords(): string[][] {
  const terminal = makeTerminal(systemFor({ out: '', err: '' }, '/', {}), [])
  const below = (command: ReturnType<typeof buildProgram>, path: string[]): string[][] =>
    command.commands.flatMap((each) => {
      const here = [...path, each.name()]
      return each.commands.length > 0 ? below(each, here) : [here]
    })
  return below(
    buildProgram(terminal, () => undefined),
    [],
  )
}
