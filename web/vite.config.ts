/**
 * Builds the dashboard: hashed files below /ui/ and nothing inline, so that the strictest content
 * policy holds.
 */
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/**
 * Browsers released in 2024 or later: they support `light-dark()` and the popover API, and nothing
 * has to be transpiled.
 */
const BROWSERS = ['chrome123', 'edge123', 'firefox125', 'safari17.5'];

// The caller sets `build.outDir`.
// biome-ignore lint/style/noDefaultExport: Vite reads the default export.
export default defineConfig({
  root: import.meta.dirname,
  base: '/ui/',
  publicDir: false,
  plugins: [react()],
  build: {
    target: BROWSERS,
    cssTarget: BROWSERS,
    emptyOutDir: true,
    sourcemap: false,
    // The content policy blocks `data:` URLs for fonts, scripts and styles.
    assetsInlineLimit: 0,
    // All these browsers preload modules natively; the polyfill would be one more script.
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
});
