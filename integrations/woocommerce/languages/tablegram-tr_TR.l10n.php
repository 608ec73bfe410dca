<?php
return array(
	'messages' => array(
		'Copy the whole address from the page of the source in Tablegram.' => 'Adresin tamamını Tablegram\'daki kaynak sayfasından kopyalayın.',
		'The server could not be reached.' => 'Sunucuya ulaşılamadı.',
		'The secret is wrong: copy it again from Tablegram.' => 'Gizli anahtar yanlış: Tablegram\'dan yeniden kopyalayın.',
		'There is no such source: copy the address again from Tablegram.' => 'Böyle bir kaynak yok: adresi Tablegram\'dan yeniden kopyalayın.',
		'The server answered %d.' => 'Sunucu %d yanıtını verdi.',
		'Remind me by message if I leave something in my cart.' => 'Sepetimde ürün kalırsa bana mesajla hatırlatın.',
		'In Tablegram, open Shops and forms, connect WooCommerce, and copy the address and the secret.' => 'Tablegram\'da Mağazalar ve formlar sayfasını açın, WooCommerce\'i bağlayın, adresi ve gizli anahtarı kopyalayın.',
		'Address' => 'Adres',
		'Secret' => 'Gizli anahtar',
		'Kept. Type a new one to change it.' => 'Kayıtlı. Değiştirmek için yenisini yazın.',
		'Carts' => 'Sepetler',
		'Send carts, and ask customers at the checkout whether they want to be reminded.' => 'Sepetleri gönder ve ödeme sayfasında müşterilere hatırlatma isteyip istemediklerini sor.',
		'You may not do that.' => 'Bunu yapma yetkiniz yok.',
		'It arrived: look at the log of the source in Tablegram.' => 'Ulaştı: Tablegram\'da kaynağın kayıtlarına bakın.',
		'Send a test' => 'Deneme gönder',
	),
);
