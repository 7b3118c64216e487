import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

// For `npm run dev`, beside `svc dev`: the service sees its own pages alone.
const SERVICE = process.env["SVC_URL"] ?? "http://127.0.0.1:8000";
const behind = { target: SERVICE, headers: { origin: SERVICE } };

export default defineConfig({
  base: "/console/",
  plugins: [react()],
  css: { transformer: "lightningcss" },
  build: {
    outDir: "../rest_api/console/static",
    emptyOutDir: true,
    target: ["es2023", "chrome125", "firefox128", "safari18"],
    cssTarget: ["chrome125", "firefox128", "safari18"],
    assetsInlineLimit: 0, // the policy lets no data: in
    modulePreload: { polyfill: false },
    sourcemap: false,
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      output: {
        entryFileNames: "assets/[name]-[hash].js",
        chunkFileNames: "assets/[name]-[hash].js",
        assetFileNames: "assets/[name]-[hash][extname]",
      },
    },
  },
  server: {
    proxy: {
      "/graphql": { ...behind, ws: true },
      "/console/session": behind,
      "/docs": behind,
    },
  },
});
