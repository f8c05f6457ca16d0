import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core'

/** Mantine needs ten shades of a colour. The shades 7 (light) and 4 (dark) are `--brand` of tokens.css. */
const verdigris: MantineColorsTuple = [
  '#e4f1ed',
  '#cfe5de',
  '#b5d8ce',
  '#7ad8c0',
  '#5cc9ae',
  '#7ad8c0',
  '#2b7f70',
  '#0d5c50',
  '#0a4a41',
  '#06332d',
]

/** Greys with a little of the primary green. */
const gray: MantineColorsTuple = [
  '#f6f7f4',
  '#f0f3ee',
  '#e3e8e1',
  '#d5ddd5',
  '#c6cfc7',
  '#838f89',
  '#5f6d67',
  '#42524c',
  '#27362f',
  '#0f1f1b',
]
const dark: MantineColorsTuple = [
  '#eaf1ed',
  '#b4c1bb',
  '#8f9d97',
  '#65756e',
  '#3a4a44',
  '#23302b',
  '#1a2522',
  '#131c19',
  '#0d1412',
  '#0a110f',
]

const sans = '"Inter Variable", Inter, ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif'
const mono = 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace'

export const theme = createTheme({
  colors: { verdigris, gray, dark },
  primaryColor: 'verdigris',
  primaryShade: { light: 7, dark: 4 },
  autoContrast: true,
  fontFamily: sans,
  fontFamilyMonospace: mono,
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '20px' },
  lineHeights: { xs: '16px', sm: '20px', md: '20px', lg: '24px', xl: '28px' },
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' },
  radius: { xs: '4px', sm: '6px', md: '8px', lg: '12px', xl: '16px' },
  headings: {
    fontFamily: sans,
    fontWeight: '620',
    sizes: {
      h1: { fontSize: '28px', lineHeight: '34px' },
      h2: { fontSize: '16px', lineHeight: '24px' },
      h3: { fontSize: '14px', lineHeight: '20px' },
    },
  },
  defaultRadius: 'md',
  cursorType: 'pointer',
  focusRing: 'auto',
  respectReducedMotion: true,
  components: {
    Button: { vars: (_theme: unknown, props: ButtonLook) => ({ root: { ...buttonSize(props), ...buttonInk(props) } }) },
    Modal: {
      defaultProps: {
        centered: true,
        styles: { title: { fontSize: '16px', fontWeight: 620 } },
        overlayProps: { backgroundOpacity: 0.45, blur: 2 },
      },
    },
    // The header of a dialog is not the banner of the page.
    ModalHeader: { defaultProps: { role: 'presentation' } },
    // ARIA does not allow the placeholder as a child of a menu.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    Tooltip: { defaultProps: { openDelay: 200, events: { hover: true, focus: true, touch: true } } },
    Anchor: { defaultProps: { underline: 'always' } },
  },
})

type ButtonLook = { size?: unknown; color?: unknown; variant?: unknown }

/** Buttons have the size of the text around them. */
function buttonSize({ size = 'sm' }: ButtonLook): Record<string, string> {
  return size === 'sm' ? { '--button-fz': 'var(--text-md)', '--button-padding-x': '14px' } : {}
}

/** Mantine's text on a primary button is white, which is too light on the bright green of the dark scheme. */
function buttonInk({ color, variant = 'filled' }: ButtonLook): Record<string, string> {
  return color === undefined && variant === 'filled' ? { '--button-color': 'var(--on-brand)' } : {}
}

/** Mantine's colours, taken from tokens.css. */
const variables = {
  '--mantine-color-text': 'var(--ink)',
  '--mantine-color-dimmed': 'var(--ink-soft)',
  '--mantine-color-placeholder': 'var(--muted)',
  '--mantine-color-error': 'var(--bad-ink)',
  '--mantine-color-anchor': 'var(--brand)',
  '--mantine-color-default-border': 'var(--line-strong)',
  '--mantine-color-default-hover': 'var(--surface-hover)',
  '--mantine-color-body': 'var(--surface-raised)',
  '--mantine-primary-color-contrast': 'var(--on-brand)',
}

export const cssVariables: CSSVariablesResolver = () => ({ variables: {}, light: variables, dark: variables })
