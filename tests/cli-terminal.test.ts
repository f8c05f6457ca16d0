import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { cliProcess, makeWorkbench, type Workbench } from './harness/cli.ts'
import { addressList, type Harness, rejects, sharedHarness, type Team } from './harness/index.ts'
import { hasTerminal, startOnTerminal } from './harness/terminal.ts'

let house: Harness
let team: Team
let bench: Workbench
beforeAll(async () => {
  house = await sharedHarness()
  team = await house.team('termcorp')
})
beforeEach(() => {
  bench = makeWorkbench({ TOCSIN_URL: house.url, TOCSIN_TOKEN: team.owner.token })
})
afterEach(() => bench.remove())

test('a reader that closes the pipe early ends the command without an error message', async () => {
  const { command, args, env } = cliProcess(['--help'], bench.env)
  const child = spawn(command, args, { cwd: bench.folder, env })
  child.stdout.destroy()
  let said = ''
  child.stderr.on('data', (chunk) => {
    said += chunk
  })
  expect([await once(child, 'close'), said]).toEqual([[141, null], ''])
})

const isTerminal = hasTerminal()
if (!isTerminal) console.warn('Prompts are not tested: this machine has no `script` of util-linux.')

describe.runIf(isTerminal)('on a terminal', () => {
  test('apply shows the plan in colours and asks; nothing is applied without a yes', async () => {
    bench.write('tocsin.yaml', 'apiVersion: 1\nworkspace: termcorp\nstack: asked\n')
    bench.write('address-lists/a.yaml', stringify(addressList('termcorp.asked')))
    const refused = startOnTerminal(bench, 'apply')
    await refused.shows('Apply this plan?')
    expect(refused.text()).toContain('+ create address-list termcorp.asked\n')
    expect(refused.raw()).toContain('\u001b[32m')
    refused.type('n')
    expect(await refused.exitCode).toBe(1)
    expect(refused.text()).toContain('Cancelled. Nothing has changed.')
    await rejects(team.owner.getAddressList({ fullname: 'termcorp.asked' }), { code: 'not_found' })

    const accepted = startOnTerminal(bench, 'apply')
    await accepted.shows('Apply this plan?')
    accepted.type('y')
    expect(await accepted.exitCode).toBe(0)
    expect(accepted.text()).toContain('Applied 1 change.')
    expect(await team.owner.getAddressList({ fullname: 'termcorp.asked' })).toBeDefined()
  })

  test('login asks for what is missing and does not show the token; Ctrl+C changes nothing', async () => {
    delete bench.env.TOCSIN_URL
    delete bench.env.TOCSIN_TOKEN
    const login = startOnTerminal(bench, 'login')
    await login.shows('Address of the server')
    login.type(`${house.url}\r`)
    await login.shows('Token')
    login.type(`${team.owner.token}\r`)
    expect(await login.exitCode).toBe(0)
    expect(login.text()).toContain(`You are signed in at ${house.url}`)
    expect(login.text()).not.toContain(team.owner.token)
    const saved = readFileSync(join(bench.env.HOME ?? '', '.config/tocsin/login.json'), 'utf8')
    expect(JSON.parse(saved)).toMatchObject({ current: house.url })

    const cancelled = startOnTerminal(bench, 'init')
    await cancelled.shows('Workspace')
    cancelled.type('\u0003')
    expect(await cancelled.exitCode).toBe(1)
    expect(cancelled.text()).toContain('Cancelled. Nothing has changed.')
    expect(bench.files()).toEqual({})
  })
})

describe('the shell completes commands and options', () => {
  const shells = ['bash', 'zsh', 'fish'].map((shell) => ({
    shell,
    isHere: spawnSync(shell, ['-c', 'true']).status === 0,
  }))
  for (const { shell, isHere } of shells)
    if (!isHere) console.warn(`The completion for ${shell} is not run: this machine has no ${shell}.`)

  /** What the shell offers for the last word of a command line. */
  const scripts: Record<string, (words: string[]) => string> = {
    bash: (words) =>
      `source ./completion; COMP_WORDS=(tocsin ${words.join(' ')}); COMP_CWORD=${words.length}; _tocsin; printf '%s\\n' "\${COMPREPLY[@]}"`,
    // `_describe` works only while the line editor completes, so the script gets one that prints what it is given.
    zsh: (words) => `compdef() { :; }; _files() { :; }; _describe() { print -rl -- \${\${(P)2}%%:*}; }
      source ./completion; words=(tocsin ${words.map((word) => `'${word}'`).join(' ')}); CURRENT=${words.length + 1}; _tocsin`,
    fish: (words) => `source ./completion; complete -C 'tocsin ${words.join(' ')}' | string split -f 1 \\t`,
  }

  test.each(shells)('in $shell', async ({ shell, isHere }) => {
    const { out } = await bench.inside('completion', shell)
    expect(out).toContain('prune')
    if (!isHere) return
    bench.write('completion', out)
    const args = { bash: ['-c'], zsh: ['-f', '-c'], fish: ['--no-config', '-c'] }[shell] ?? []
    const complete = (...words: string[]) => {
      const text = scripts[shell]?.(words) ?? ''
      const { stdout, stderr } = spawnSync(shell, [...args, text], { cwd: bench.folder })
      expect(stderr.toString()).toBe('')
      const last = words.at(-1) ?? ''
      return stdout
        .toString()
        .split('\n')
        .filter((word) => word !== '' && word.startsWith(last))
    }
    expect(complete('pl')).toEqual(['plan'])
    expect(complete('plan', '--pr')).toEqual(['--prune'])
    expect(complete('import', 'ten')).toEqual(['tenderly'])
    expect(complete('import', 'tenderly', '--js')).toEqual(['--json'])
    expect(complete('trigger', 'te')).toEqual(['test'])
    expect(complete('trigger', 'test', '--in')).toEqual(['--input', '--inputs'])
    expect(complete('test', '--in')).toEqual([])
    expect(complete('test', '--off')).toEqual(['--offline'])
  })

  test('another shell is refused', async () => {
    expect(await bench.inside('completion', 'tcsh')).toMatchObject({ code: 1 })
  })
})
