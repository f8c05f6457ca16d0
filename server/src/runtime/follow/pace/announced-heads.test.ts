import { expect, test } from 'vitest'
import { AnnouncedHeads } from './announced-heads.ts'

const head = (number: number, hash = `0x${number}`) => ({ number, hash })
function watching() {
  const clock = { ms: 0 }
  const heads = new AnnouncedHeads(() => clock.ms)
  heads.record(head(10), true)
  return { clock, heads }
}

test('a head above the known one is used at once, and an older one never replaces it', () => {
  const { heads } = watching()
  expect(heads.announce(head(12))).toBe('in time')
  expect(heads.announce(head(11))).toBe('in time')
  expect(heads.take()).toEqual(head(12))
  heads.record(head(12), false)
  for (const older of [head(11), head(5), head(12)]) expect(heads.announce(older)).toBe('repeated')
  expect([heads.hasNew, heads.take()]).toEqual([false, undefined])
})

test('another block of the known number makes the service read the own head of the node', () => {
  const { heads } = watching()
  heads.announce(head(10, '0xfork'))
  expect(heads.hasNew).toBe(true)
  expect(heads.take()).toBeUndefined()
  expect(heads.hasNew).toBe(false)
})

test('the own head is read every five seconds, whatever is announced', () => {
  const { clock, heads } = watching()
  for (let number = 11; number <= 20; number += 1) {
    clock.ms += 400
    heads.announce(head(number))
    heads.record(heads.take() ?? head(0), false)
  }
  expect(heads.leftMs).toBe(1_000)
  clock.ms += 2_000
  expect(heads.leftMs).toBe(0)
})

test('a socket that repeats one old head, or announces late, is late until three heads are in time', () => {
  const { clock, heads } = watching()
  for (let repeat = 0; repeat < 2; repeat += 1) {
    clock.ms += 1_500
    expect(heads.isLate).toBe(false)
    expect(heads.announce(head(3))).toBe('late')
  }
  expect(heads.isLate).toBe(true)
  const found = (number: number, afterMs: number) => {
    heads.record(head(number), true)
    clock.ms += afterMs
    heads.announce(head(number))
  }
  for (let number = 11; number < 20; number += 1) found(number, 8_000)
  expect(heads.isLate).toBe(true)
  for (let number = 20; number < 23; number += 1) heads.announce(head(number))
  expect(heads.isLate).toBe(false)
})

test('an older head after each new one does not make a socket late', () => {
  const { clock, heads } = watching()
  for (let number = 11; number < 40; number += 1) {
    clock.ms += 2_000
    heads.announce(head(number))
    heads.record(heads.take() ?? head(0), false)
    clock.ms += 1_500
    heads.announce(head(number - 1))
    expect(heads.isLate).toBe(false)
  }
})

test('heads without hashes, as Substrate and Solana announce them, are hints too', () => {
  const { clock, heads } = watching()
  expect(heads.announce({ number: 11 })).toBe('in time')
  heads.record({ number: 11 }, false)
  expect(heads.announce({ number: 11 })).toBe('repeated')
  expect(heads.hasNew).toBe(true)
  heads.take()
  clock.ms += 2_000
  for (let repeat = 0; repeat < 2; repeat += 1) expect(heads.announce({ number: 11 })).toBe('late')
  expect([heads.hasNew, heads.isLate]).toEqual([false, true])
})
