import { expect, test } from 'vitest'
import { startingPoint } from './starting-point.ts'

/** A chain whose timestamps are the block numbers in seconds; blocks for which `isSkipped` is true do not exist. */
function chainOf(isSkipped: (number: number) => boolean = () => false) {
  const asked: number[] = []
  const link = async (number: number) => {
    asked.push(number)
    if (isSkipped(number)) return undefined
    return { number, hash: `b${number}`, parentHash: '', timestampMs: number * 1000 }
  }
  return { asked, chain: { skipsNumbers: isSkipped(-1), link } }
}

test.each([0, 1, 2, 63, 64, 65, 500, 9_999])(
  'a source that starts %d blocks late begins at the block where it was wanted',
  async (late) => {
    const { chain, asked } = chainOf()
    const since = (20_000 - late) * 1000 + 1
    const point = await startingPoint(chain, { target: 20_000, since, backMax: 10_000 })
    expect(point).toMatchObject({ at: { number: 20_000 - late }, isCut: false })
    expect(asked.length).toBeLessThan(32)
  },
)

test('on a chain that skips numbers, it begins at the last block before', async () => {
  const { chain } = chainOf((number) => number % 4 !== 0)
  for (let late = 0; late < 50; late += 1) {
    const since = (1000 - late) * 1000
    const { at } = (await startingPoint(chain, { target: 1000, since, backMax: 500 }))!
    expect(at.number).toBe(4 * Math.ceil((1000 - late) / 4 - 1))
  }
})

test('if wanted blocks are further back than allowed, it begins later and says that blocks are skipped', async () => {
  const { chain } = chainOf()
  const point = await startingPoint(chain, { target: 500, since: 1000, backMax: 100 })
  expect(point).toMatchObject({ at: { number: 400 }, isCut: true })
  expect(await startingPoint(chain, { target: 50, since: 0, backMax: 100 })).toMatchObject({
    at: { number: 0 },
    isCut: false,
  })
})

test('without listeners it begins at the head', async () => {
  const { chain, asked } = chainOf()
  const point = await startingPoint(chain, { target: 500, since: undefined, backMax: 100 })
  expect(point).toMatchObject({ at: { number: 500 }, isCut: false })
  expect(asked).toEqual([500])
})
