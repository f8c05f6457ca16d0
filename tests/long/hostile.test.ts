import { test } from 'vitest'
import { knownAttacks } from '../hostile/known-attacks.ts'
import { routeAttacks, shareOf } from '../hostile/route-attacks.ts'
import { expectNoFault, useStage } from '../hostile/stage.ts'

/** Other attacks than those of tests/hostile.test.ts: with HOSTILE_STEP=1 all of them. */

const stage = useStage()
const timeout = 3_600_000
const step = process.env.HOSTILE_STEP

test('what once held up the service gets an answer within the limits or a refusal with a code', {
  timeout,
}, async () => {
  await expectNoFault(stage(), knownAttacks)
})

test('each field of each body in each hostile shape gets an answer within the limits or a refusal with a code', {
  timeout,
}, async () => {
  await expectNoFault(stage(), shareOf(routeAttacks(stage().victims), Number(step ?? 19)))
})

test('so do requests whose node answers each method in each hostile shape', { timeout }, async () => {
  await expectNoFault(stage(), shareOf(stage().nodes.attacks, Number(step ?? 5)))
})
