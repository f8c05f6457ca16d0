import { test } from 'vitest'
import { routeAttacks } from '../hostile/route-attacks.ts'
import { expectNoFault, useStage } from '../hostile/stage.ts'

/** All attacks of which tests/hostile.test.ts plays a part. */

const stage = useStage()
const timeout = 3_600_000

test('each field of each body in each hostile shape gets an answer within the limits or a refusal with a code', {
  timeout,
}, async () => {
  await expectNoFault(stage(), routeAttacks(stage().victims))
})

test('so do requests whose node answers each method in each hostile shape', { timeout }, async () => {
  await expectNoFault(stage(), stage().nodes.attacks)
})
