import { Checkbox } from '@mantine/core'
import type { KeyboardEvent } from 'react'
import classes from './row-checkbox.module.css'

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
