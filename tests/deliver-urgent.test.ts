import { afterAll, beforeAll, expect, test } from 'vitest'
import { type DeliveryBench, deliveryBench, type Receiver, startReceiver, until } from './harness/deliveries.ts'

let bench: DeliveryBench
let receiver: Receiver
beforeAll(async () => {
  bench = await deliveryBench()
  receiver = await startReceiver()
})
afterAll(async () => {
  receiver.close()
  await bench.close()
})

test('in a chat with a rate limit a critical alert overtakes what waits, and equal ones keep their order', async () => {
  await bench.resource('slack', { url: receiver.url }, 'common.delivery.slack')
  const severities = ['info', 'info', 'warning', 'critical', 'critical']
  for (const [at, severity] of severities.entries())
    await bench.alert(`al_${at}`, ['slack'], { title: `Number ${at}` }, { columns: { severity } })
  await bench.start()
  const sent = () => receiver.received.map(({ body }) => /Number (\d)/.exec(body)?.[1])
  await until(() => {
    bench.clock.advance(1_000)
    return sent().length === severities.length
  }, 'all messages')
  expect(sent()).toEqual(['3', '4', '2', '0', '1'])
})
