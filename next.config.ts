import type { NextConfig } from "next";

/** Options only. Security headers, compression of the API and the port belong to the custom server. */
const config: NextConfig = {
  poweredByHeader: false,
  reactStrictMode: true,
  reactCompiler: true,
  // The checkout is the root even when it lies inside a folder with a lock file of its own.
  turbopack: { root: import.meta.dirname },
  // A page's title comes with the page: no window stands without one while the next is on its way.
  htmlLimitedBots: /.*/,
  // Some browsers ask for it although every page names its icon.
  rewrites: async () => [{ source: "/favicon.ico", destination: "/icon.svg" }],
  // `npm run check` types the whole tree, tests included; a first `npm start` need not do it again.
  typescript: { ignoreBuildErrors: true },
};

export default config;
