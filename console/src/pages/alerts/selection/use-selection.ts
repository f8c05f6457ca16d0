import { useCallback, useEffect, useRef, useState } from 'react'
import { nothingSelected, selectRow } from './selection.ts'

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
