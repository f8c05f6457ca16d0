import { Checkbox } from '@mantine/core'
import { type KeyboardEvent, useCallback, useEffect, useRef, useState } from 'react'
import classes from './row-checkbox.module.css'

/** The rows that the user selected, by key, and the row from which Shift selects a range. */
export type Selection = { keys: ReadonlySet<string>; anchor: string | undefined }

export const nothingSelected: Selection = { keys: new Set(), anchor: undefined }

/**
 * Selects a row, or takes it out. With `isRange`, every row between the anchor and this one becomes as this one becomes.
 * `order` is the order of the rows on the page.
 */
export function selectRow(before: Selection, order: readonly string[], key: string, isRange: boolean): Selection {
  const isSelected = !before.keys.has(key)
  const changed = isRange ? rangeOf(order, before.anchor ?? key, key) : [key]
  const keys = new Set(before.keys)
  for (const one of changed) {
    if (isSelected) keys.add(one)
    else keys.delete(one)
  }
  return { keys, anchor: key }
}

/** The rows from one to the other, in either direction. If one of them left the page, only the last. */
function rangeOf(order: readonly string[], from: string, to: string): readonly string[] {
  const [first, last] = [order.indexOf(from), order.indexOf(to)]
  if (first < 0 || last < 0) return [to]
  return order.slice(Math.min(first, last), Math.max(first, last) + 1)
}

/** The selected rows of a list. Rows that leave the list are no longer selected. `select` stays the same function. */
export function useSelection(order: readonly string[]) {
  const [selection, setSelection] = useState(nothingSelected)
  const listed = useRef(order)
  useEffect(() => {
    listed.current = order
  })
  const select = useCallback(
    (key: string, isRange: boolean) => setSelection((before) => selectRow(before, listed.current, key, isRange)),
    [],
  )
  const clear = useCallback(() => setSelection(nothingSelected), [])
  return {
    selected: order.filter((key) => selection.keys.has(key)),
    select,
    selectAll: () => setSelection({ keys: new Set(order), anchor: undefined }),
    clear,
  }
}

type RowCheckboxProps = {
  label: string
  isSelected: boolean
  /** `isRange` also selects all rows from the last one. */
  select: (isRange: boolean) => void
}

/** Selects a row. With Shift, a click selects a range. The arrow keys go to the next row, and with Shift select it too. */
export function RowCheckbox({ label, isSelected, select }: RowCheckboxProps) {
  return (
    <Checkbox
      size="sm"
      classNames={{ input: classes.input ?? '' }}
      aria-label={label}
      checked={isSelected}
      onChange={({ nativeEvent }) => select('shiftKey' in nativeEvent && nativeEvent.shiftKey === true)}
      onKeyDown={moveByArrows}
    />
  )
}

function moveByArrows(event: KeyboardEvent<HTMLInputElement>) {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  const boxes = [...(event.currentTarget.closest('ol')?.querySelectorAll<HTMLInputElement>('[type=checkbox]') ?? [])]
  const next = boxes[boxes.indexOf(event.currentTarget) + (event.key === 'ArrowDown' ? 1 : -1)]
  event.preventDefault()
  next?.focus()
  if (event.shiftKey && next?.checked === false) next.click()
}
