import { type ComponentProps, createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { BarChart } from './bar-chart.tsx'

function cellsOf(props: Pick<ComponentProps<typeof BarChart>, 'names' | 'bars'>): (string | undefined)[] {
  const markup = renderToStaticMarkup(createElement(BarChart, { label: 'Fired', barName: 'Blocks', ...props }))
  return [...markup.matchAll(/<t[hd](?: [^>]*)?>([^<]*)</g)].map(([, text]) => text)
}

test('screen readers get a table with a row for each bar and a column for each value', () => {
  expect(cellsOf({ names: ['Fired'], bars: [{ label: '1–25', values: [3] }] })).toEqual([
    'Blocks',
    'Fired',
    '1–25',
    '3',
  ])
  const compared = cellsOf({ names: ['Published', 'Draft'], bars: [{ label: '1–25', values: [3, 4] }] })
  expect(compared).toEqual(['Blocks', 'Published', 'Draft', '1–25', '3', '4'])
})
