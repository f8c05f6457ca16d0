// The icons of the sign-in pages and of notices. They are part of the first load; `icons.tsx` is not, so that it may grow.
import type { ReactNode } from 'react'

export type IconProps = { size?: number }
export type Icon = (props: IconProps) => ReactNode

/** An icon of 24 × 24 in the colour of the text, hidden from screen readers. */
export function makeIcon(...paths: string[]): Icon {
  return ({ size = 18 }) => (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.75}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      {paths.map((path) => (
        <path key={path} d={path} />
      ))}
    </svg>
  )
}

export const IconCheck = makeIcon('m5 12.5 4.5 4.5L19 7.5')
export const IconCompass = makeIcon('M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18z', 'm15.5 8.5-2 5-5 2 2-5z')
export const IconInfo = makeIcon('M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18z', 'M12 11v5', 'M12 8h.01')
export const IconKey = makeIcon('M8.5 19a4 4 0 1 0 0-8 4 4 0 0 0 0 8z', 'm11.5 12.2 7-7', 'm16 7.5 2.5 2.5')
export const IconMonitor = makeIcon('M4 5h16v11H4z', 'M9 20h6', 'M12 16v4')
export const IconMoon = makeIcon('M19.5 14.5A8 8 0 0 1 9.5 4.5a8 8 0 1 0 10 10z')
export const IconSun = makeIcon(
  'M12 16.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9z',
  'M12 2.5v1.5M12 20v1.5M2.5 12H4M20 12h1.5M5.3 5.3l1 1M17.7 17.7l1 1M5.3 18.7l1-1M17.7 6.3l1-1',
)
export const IconWarning = makeIcon('M12 4 2.8 19.5h18.4z', 'M12 10v4', 'M12 17h.01')

/** The logo. */
export function BellMark({ size = 28 }: IconProps) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="8" fill="#0f5d57" />
      <path
        d="M16 6.2c-1 0-1.7.7-1.7 1.6v.5c-3.3.8-5.4 3.6-5.4 7.2 0 3.7-.9 5.2-2.2 6.5-.5.5-.2 1.4.6 1.4h17.4c.8 0 1.1-.9.6-1.4-1.3-1.3-2.2-2.8-2.2-6.5 0-3.6-2.1-6.4-5.4-7.2v-.5c0-.9-.7-1.6-1.7-1.6Z"
        fill="#fff"
      />
      <circle cx="16" cy="25.6" r="1.9" fill="#f2b84b" />
    </svg>
  )
}
