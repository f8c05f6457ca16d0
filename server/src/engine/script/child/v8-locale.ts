/**
 * Makes V8's locale-dependent texts equal to those of QuickJS, on every machine. The sandbox gets this function as source
 * text, so it must use nothing from outside.
 */
export function removeLocales() {
  const { apply } = Reflect
  const methods = (owner: object, added: object) => {
    for (const [name, value] of Object.entries(added))
      Object.defineProperty(owner, name, { value, writable: true, enumerable: false, configurable: true })
  }
  const { slice, padStart, normalize, toLowerCase, toUpperCase } = String.prototype
  const { toString: dateText, toTimeString: timeText, getTime, toISOString } = Date.prototype
  const [numberText, integerText] = [Number.prototype.toString, BigInt.prototype.toString]

  const cut = (text: string, from: number, to: number): string => apply(slice, text, [from, to])
  const withoutZone = (text: string): string => cut(text, 0, -' (Coordinated Universal Time)'.length)
  const { isFinite: isNumber } = Number
  const isTime = (date: Date): boolean => isNumber(apply(getTime, date, []))

  const day = (iso: string): string => `${cut(iso, 5, 7)}/${cut(iso, 8, 10)}/${cut(iso, 0, 4)}`
  const time = (iso: string): string => {
    const hour = +cut(iso, 11, 13)
    const shown = apply(padStart, `${hour % 12 || 12}`, [2, '0'])
    return shown + cut(iso, 13, 19) + (hour < 12 ? ' AM' : ' PM')
  }
  const shown = (date: Date, as: (iso: string) => string): string =>
    isTime(date) ? as(apply(toISOString, date, [])) : 'Invalid Date'

  methods(Date.prototype, {
    toString(this: Date) {
      return isTime(this) ? withoutZone(apply(dateText, this, [])) : 'Invalid Date'
    },
    toTimeString(this: Date) {
      return isTime(this) ? withoutZone(apply(timeText, this, [])) : 'Invalid Date'
    },
    toLocaleString(this: Date) {
      return shown(this, (iso) => `${day(iso)}, ${time(iso)}`)
    },
    toLocaleDateString(this: Date) {
      return shown(this, day)
    },
    toLocaleTimeString(this: Date) {
      return shown(this, time)
    },
  })
  methods(Number.prototype, {
    toLocaleString(this: number) {
      return apply(numberText, this, [])
    },
  })
  methods(BigInt.prototype, {
    toLocaleString(this: bigint) {
      return apply(integerText, this, [])
    },
  })
  methods(String.prototype, {
    localeCompare(this: string, that: unknown) {
      const left: string = apply(normalize, this, [])
      const right: string = apply(normalize, `${that}`, [])
      return left < right ? -1 : left > right ? 1 : 0
    },
    toLocaleLowerCase(this: string) {
      return apply(toLowerCase, this, [])
    },
    toLocaleUpperCase(this: string) {
      return apply(toUpperCase, this, [])
    },
  })
}
