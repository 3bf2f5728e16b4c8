/* Memory of nghttp2. */
#ifndef LC_LIVE_HTTP2_MEMORY_H
#define LC_LIVE_HTTP2_MEMORY_H

/* Our allocators, which never fail, as an nghttp2_mem. */
void *lc_http2_memory(void);

#endif
