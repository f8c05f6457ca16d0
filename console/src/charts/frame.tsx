import { useElementSize } from '@mantine/hooks'
import type { ReactNode } from 'react'
import classes from './chart.module.css'
import { type Scale, shortNumber } from './scale.ts'

export const margin = { top: 8, right: 8, bottom: 22, left: 44 }
export type Size = { width: number; height: number }

type FrameProps = {
  /** A sentence that says what the chart shows, for screen readers. */
  label: string
  height?: number
  children: (size: Size) => ReactNode
}

/** The SVG of a chart. It fills the width of its container. */
export function Frame({ label, height = 180, children }: FrameProps) {
  const { ref, width } = useElementSize()
  return (
    <div ref={ref} className={classes.frame} style={{ height }}>
      {width > 0 && (
        <svg width={width} height={height} role="img" aria-label={label}>
          {children({ width, height })}
        </svg>
      )}
    </div>
  )
}

type ValueAxisProps = {
  scale: Scale
  width: number
  unit?: string | undefined
  /** Formats a value. */
  show?: (value: number) => string
}

/** Horizontal grid lines with their values. */
export function ValueAxis({ scale, width, unit, show = shortNumber }: ValueAxisProps) {
  return scale.ticks.map((tick) => (
    <g key={tick}>
      <line
        className={classes.grid}
        x1={margin.left}
        x2={width - margin.right}
        y1={scale.at(tick)}
        y2={scale.at(tick)}
      />
      <text className={classes.tick} x={margin.left - 8} y={scale.at(tick)} dy="0.32em" textAnchor="end">
        {show(tick)}
        {unit}
      </text>
    </g>
  ))
}

/** The first and the last x label. More labels do not fit on a phone. */
export function EndLabels({ labels, size }: { labels: [string, string]; size: Size }) {
  const y = size.height - 6
  return (
    <>
      <text className={classes.tick} x={margin.left} y={y}>
        {labels[0]}
      </text>
      <text className={classes.tick} x={size.width - margin.right} y={y} textAnchor="end">
        {labels[1]}
      </text>
    </>
  )
}
