/** SQL for the block and the data of an alert's item, as the chain names its logs. A call has the data of its log as input. */
export function itemKey(trace: string): string {
  const item = `${trace}->'item'`
  const block = `coalesce(${item}->>'blockHash', ${item}->'block'->>'hash')`
  const data = `coalesce(${item}->>'data', '0x' || substr(${item}->>'input', 11))`
  return `${block} || ':' || ${data}`
}
