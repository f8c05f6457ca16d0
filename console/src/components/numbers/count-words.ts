/** `1 alert`, `1,200 alerts` */
export function countWords(value: number, one: string, many = `${one}s`): string {
  return `${value.toLocaleString('en')} ${value === 1 ? one : many}`
}

/** A share from 0 to 1 in percent. A share just below 1 must not read as 100 %. */
export function percentWords(share: number): string {
  const percent = share === 1 ? 100 : Math.min(99.9, Math.floor(share * 1000) / 10)
  return `${percent.toLocaleString('en')} %`
}
