<?php
/**
 * Plugin Name: Tablegram for WooCommerce
 * Description: Sends orders and carts to Tablegram, which tells customers about them by message.
 * Version: 1.4.0
 * Requires at least: 6.5
 * Requires PHP: 8.1
 * Requires Plugins: woocommerce
 * License: Apache-2.0
 * Text Domain: tablegram
 * Domain Path: /languages
 */

declare(strict_types=1);

namespace Tablegram;

defined( 'ABSPATH' ) || exit;

require_once __DIR__ . '/includes/class-settings.php';
require_once __DIR__ . '/includes/class-outbox.php';
require_once __DIR__ . '/includes/class-carts.php';
require_once __DIR__ . '/includes/class-orders.php';
require_once __DIR__ . '/includes/class-page.php';

register_activation_hook( __FILE__, array( Outbox::class, 'make_tables' ) );

add_action(
	'plugins_loaded',
	static function (): void {
		load_plugin_textdomain( 'tablegram', false, dirname( plugin_basename( __FILE__ ) ) . '/languages' );
		$settings = new Settings();
		$outbox   = new Outbox( $settings );
		$outbox->listen();
		( new Page( $settings, $outbox ) )->listen();
		if ( class_exists( 'WooCommerce' ) ) {
			$carts = new Carts( $settings, $outbox );
			$carts->listen();
			( new Orders( $outbox, $carts ) )->listen();
		}
	}
);

// Orders may lie in tables of their own: nothing here reads them as posts.
add_action(
	'before_woocommerce_init',
	static function (): void {
		if ( class_exists( \Automattic\WooCommerce\Utilities\FeaturesUtil::class ) ) {
			\Automattic\WooCommerce\Utilities\FeaturesUtil::declare_compatibility( 'custom_order_tables', __FILE__, true );
		}
	}
);
