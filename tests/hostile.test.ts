import { test } from 'vitest'
import { routeAttacks, shareOf } from './hostile/route-attacks.ts'
import { expectGoodNodes, expectNoFault, useStage } from './hostile/stage.ts'

/** A fixed part of the attacks. tests/long/hostile.test.ts has more of them, and those that once held up the service. */

const stage = useStage()

test('the nodes answer well before they are hostile', async () => {
  await expectGoodNodes(stage())
})

test('each field of a body in hostile shapes, here every 411th, gets an answer within the limits or a refusal with a code', async () => {
  await expectNoFault(stage(), shareOf(routeAttacks(stage().victims), 411))
})

test('so do requests whose node answers in hostile shapes, here every 93rd', async () => {
  await expectNoFault(stage(), shareOf(stage().nodes.attacks, 93))
})
