/* SPDX-License-Identifier: GPL-2.0-only */
/* Return codes and flags of PAPR hypercalls (PAPR 14.5) and RTAS calls (PAPR 7). */
#ifndef HCALL_PAPR_H
#define HCALL_PAPR_H

#define H_SUCCESS	   0
#define H_BUSY		   1
#define H_CLOSED	   2
#define H_HARDWARE	   (-1)
#define H_FUNCTION	   (-2)
#define H_PARAMETER	   (-4)
#define H_PTEG_FULL	   (-6)
#define H_NOT_FOUND	   (-7)
#define H_NO_MEM	   (-9)
#define H_RESOURCE	   (-16)
#define H_LONG_BUSY	   9900 /* and 1 to 5 more for each factor of ten over a millisecond */
#define H_P2		   (-55)
#define H_P3		   (-56)
#define H_P4		   (-57)
#define H_P5		   (-58)
#define H_UNSUPPORTED	   (-67)
#define H_UNSUPPORTED_FLAG (-256)

#define RTAS_SUCCESS	       0
#define RTAS_HARDWARE_ERROR    (-1)
#define RTAS_PARAM_ERROR       (-3)
#define RTAS_NOT_SUPPORTED     (-3)    /* get/set-system-parameter, of the parameter */
#define RTAS_NOT_AUTHORIZED    (-9002) /* set-system-parameter */
#define RTAS_SYSPARM_PARAM_ERR (-9999) /* get/set-system-parameter, of buffer or length */
#define RTAS_NO_ERRORS_FOUND   1       /* event-scan, check-exception */
#define RTAS_CPU_STATE_INVALID (-9000) /* start-cpu of a processor that is not stopped */

/* LPCR fields that H_SET_MODE changes (Power ISA III, LPCR). */
#define LPCR_ILE   0x0000000002000000ull
#define LPCR_AIL   0x0000000001800000ull
#define LPCR_AIL_3 0x0000000001800000ull

/* Flags of H_REGISTER_PROC_TBL. */
#define PROC_TABLE_MODIFY   0x10
#define PROC_TABLE_REGISTER 0x08
#define PROC_TABLE_RADIX    0x04
#define PROC_TABLE_HPT_SEGT 0x02
#define PROC_TABLE_GTSE	    0x01
#define PROC_TABLE_FLAGS    0x1f

/* Second doubleword of a partition table entry (Power ISA III, radix bit). */
#define PATB_GR (1ull << 63)

#endif
