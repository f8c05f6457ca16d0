import { afterAll, beforeAll, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { type CliResult, makeWorkbench, type Workbench } from './harness/cli.ts'
import { customSource, type Harness, harness, project, type Team, trigger } from './harness/index.ts'
import { hasTerminal, startOnTerminal } from './harness/terminal.ts'
import { type EvmNode, startEvmNode } from './nodes/evm.ts'

/** Past blocks of a real node: amounts 1 to 5, one per block. */
let house: Harness
let team: Team
let node: EvmNode
let bench: Workbench
let first: number

const topic0 = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const word = (hex: string) => `0x${hex.padStart(64, '0')}`
const fullname = 'chaincorp.app.moved'
const json = ({ out }: CliResult) => JSON.parse(out)
const writeTrigger = (minimum: number) =>
  bench.write(
    'triggers/moved.yaml',
    stringify(
      trigger(fullname, {
        triggerSpec: {
          type: 'evm_log',
          dataSource: 'chaincorp.chain',
          abiFragment: 'event Transfer(address indexed from, address indexed to, uint256 value)',
        },
        providers: [{ id: 'double', type: 'javascript', source: 'Number(source.params.value) * 2' }],
        activation: `Number(source.params.value) >= ${minimum}`,
        transform: '({ amount: source.params.value, double: providers.double })',
      }),
    ),
  )

beforeAll(async () => {
  node = await startEvmNode()
  house = await harness({ ALLOW_PRIVATE_NETWORKS: 'on' })
  team = await house.team('chaincorp')
  const source = customSource('chaincorp.chain', { endpoints: [node.url] })
  await team.owner.saveCustomSource({ fullname: 'chaincorp.chain', body: source })
  bench = makeWorkbench({ TOCSIN_URL: house.url, TOCSIN_TOKEN: team.owner.token })
  bench.write('tocsin.yaml', 'apiVersion: 1\nworkspace: chaincorp\nstack: chain\n')
  bench.write('projects/app.yaml', stringify(project('chaincorp.app')))
  writeTrigger(3)
  // The first event also deploys the contract that emits it.
  await node.emit([topic0, word('aa'), word('bb')], word('0'))
  first = Number(await node.request('eth_blockNumber', [])) + 1
  for (let amount = 1; amount <= 5; amount++)
    await node.emit([topic0, word('aa'), word('bb')], word(amount.toString(16)))
  expect(await bench.inside('apply')).toMatchObject({ code: 0 })
})
afterAll(async () => {
  bench.remove()
  await house.close()
  await node.close()
})

test('plan --backtest shows how often a changed trigger fired before and after', async () => {
  writeTrigger(5)
  const plan = await bench.inside('plan', '--backtest', '5', '--json')
  expect(plan.code).toBe(2)
  expect(json(plan).backtest).toMatchObject([{ fullname, before: 3, after: 1, fromBlock: first, toBlock: first + 4 }])
  const text = await bench.inside('plan', '--backtest', '5')
  expect(text.out).toContain(`${fullname}: fires 3 → 1 times in blocks ${first} to ${first + 4}`)
  writeTrigger(3)
  expect(await bench.inside('plan', '--backtest', '0')).toMatchObject({ code: 1 })
})

test('backtest and trigger test run the definition of the folder', async () => {
  const range = ['--from', String(first), '--to', String(first + 4)]
  const { result } = json(await bench.inside('backtest', fullname, ...range, '--json'))
  expect(result).toMatchObject({ matched: 5, fired: 3, failed: 0 })
  const text = await bench.inside('backtest', fullname, ...range)
  expect(text.out).toContain(`${fullname}: fired 3 times in 5 blocks`)
  expect(await bench.inside('backtest', fullname, '--from', '1')).toMatchObject({ code: 1 })
  const fired = await bench.inside('trigger', 'test', fullname, '--block', String(first + 3), '--json')
  expect(json(fired).output.raw).toEqual({ amount: '4', double: 8 })
  const silent = await bench.inside('trigger', 'test', fullname, '--block', String(first))
  expect(silent).toMatchObject({ code: 0, out: `${fullname} did not fire on this item.\n` })
  const latest = await bench.inside('trigger', 'test', fullname, '--json')
  expect(json(latest).output.raw).toMatchObject({ amount: '5' })
})

test.runIf(hasTerminal())(
  'a backtest on a terminal shows how far it is, and its result has no trace of that',
  async () => {
    const backtest = startOnTerminal(bench, 'backtest', fullname, '--from', String(first), '--to', String(first + 4))
    expect(await backtest.exitCode).toBe(0)
    // Each line of progress replaces the one before.
    const lines = backtest.raw().split('\r\u001b[K')
    expect(lines.slice(0, -1).filter((line) => /^chaincorp\.app\.moved: block \d of 5$/.test(line))).not.toEqual([])
    expect(lines.at(-1)).toMatch(/^chaincorp\.app\.moved: fired 3 times in 5 blocks/)
  },
)

test('tests of definitions pass and fail on the source, and on recordings without it', async () => {
  bench.write(
    'tests/moved.yaml',
    stringify({
      trigger: fullname,
      mustFire: [{ block: first + 2, count: 1, raw: { amount: '3' } }, { block: first + 4 }],
      mustNotFire: [{ block: first + 1 }],
    }),
  )
  expect(await bench.inside('test')).toMatchObject({ code: 0, out: expect.stringMatching(/3 passed, 0 failed\n$/) })
  expect((await bench.inside('test', '--offline')).out).toMatch(/recordings\/\S+ does not exist: run `tocsin record`/)
  const { files } = json(await bench.inside('record', '--json'))
  expect(files).toHaveLength(3)
  expect(await bench.inside('test', '--offline')).toMatchObject({
    code: 0,
    out: expect.stringMatching(/3 passed, 0 failed\n$/),
  })
  writeTrigger(2)
  const failed = await bench.tocsin('test', '--offline', '--json')
  expect(failed.code).toBe(1)
  expect(json(failed)).toMatchObject({ passed: 2, failed: 1 })
  expect(json(failed).results).toContainEqual(
    expect.objectContaining({
      file: 'tests/moved.yaml',
      block: first + 1,
      ok: false,
      message: 'must not fire, but fired once',
    }),
  )
  const onSource = await bench.inside('test', fullname, '--json')
  expect(json(onSource)).toMatchObject({ passed: 2, failed: 1 })
  bench.write('triggers/moved.yaml', bench.read('triggers/moved.yaml').replace('* 2', '* 3'))
  expect((await bench.inside('test', '--offline')).out).toContain('was made for another triggerSpec or other providers')
  writeTrigger(3)
})

test('a test that is wrong is named with its line', async () => {
  bench.write('tests/wrong.yaml', 'trigger: chaincorp.app.other\n')
  bench.write('tests/unknown.yaml', `trigger: ${fullname}\nmustFire:\n  - blok: 1\n`)
  const { code, err } = await bench.inside('test')
  expect(code).toBe(1)
  expect(err).toContain('tests/wrong.yaml:1:1 trigger: is not a trigger of the folder')
  expect(err).toContain('tests/unknown.yaml:3:5 mustFire.0.blok: is not a known field')
  expect(await bench.inside('validate', '--offline')).toMatchObject({ code: 1 })
})

test('a backtest takes a policy, says before what it costs, and waits for the job of a long range', async () => {
  const range = ['--from', String(first), '--to', String(first + 4)]
  const policy = ['--policy', '{"type": "threshold", "value": "amount", "above": 3}']
  const text = await bench.inside('backtest', fullname, ...range, ...policy)
  expect(text.out).toContain(`${fullname}: fired 1 times in 5 blocks`)
  expect(text.out).toMatch(/The policy would have resolved 0 times\.\nAlerts:\n {2}\S+Z: firing block \d+, value 4\n/)
  const wrong = await bench.inside('backtest', fullname, ...range, '--policy', '{"type": "threshold"}')
  expect(wrong).toMatchObject({ code: 1, err: expect.stringContaining('--policy is not valid') })
  await node.request('hardhat_mine', ['0x2710'])
  const long = ['--from', String(first), '--to', String(first + 10_004)]
  const estimate = await bench.inside('backtest', fullname, ...long, '--estimate')
  expect(estimate.out).toMatch(/: about \d requests for 10005 blocks, and some for each block with a match\.\n$/)
  const { checkedBlocks, result } = json(await bench.inside('backtest', fullname, ...long, '--json'))
  expect([checkedBlocks, result.fired]).toEqual([10_005, 3])
})
